import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

type OptionTable = NonNullable<ParseArgsConfig['options']>;
/** The values of the options that a table declares. */
export type OptionValues<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; tokens: true }>
>['values'];

/** The declaration in a command's file. */
interface Declaration<O extends OptionTable> {
  /** Shown by `--help`: each form of the call, beginning with `inferdrop`, and below it what it does. */
  readonly usage: string;
  /** Passed to Node's `parseArgs`. */
  readonly options: O;
  /** The operand, in the form `RUN` if it is required, `FILE…` for one or more, `[FILE]` for at most one; without it the command takes none. */
  readonly operand?: string;
  /** Mutually exclusive options, each another form of the result. */
  readonly oneOf?: readonly (keyof O & string)[];
  /** @returns the exit code */
  run(
    asked: {
      readonly options: OptionValues<O>;
      /** The operand, or the first of several; empty where none was given. */
      readonly operand: string;
      readonly operands: readonly string[];
    },
    terminal: Terminal,
  ): Promise<number>;
}

/** A command whose arguments are still to be parsed. */
export interface DefinedCommand {
  readonly usage: string;
  /**
   * Parses the arguments after the command's name, and runs it.
   *
   * @throws {UsageError} for an unknown option, operand or value, with the known ones
   */
  call(name: string, args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Declares a command: options are listed in its table alone. */
export function defineCommand<const O extends OptionTable>(declared: Declaration<O>): DefinedCommand {
  const { usage, options, operand: operandName, oneOf = [] } = declared;
  return {
    usage,
    async call(name, args, terminal) {
      refuseUnknown(name, args, options);
      const { values, positionals } = parse(args, options);
      const given = oneOf.filter((one) => {
        const value: unknown = Reflect.get(values, one);
        return value !== undefined && value !== false;
      });
      if (given.length > 1)
        throw new UsageError(
          `${name} takes one of ${given.map((one) => `--${one}`).join(' and ')}, not both`,
        );
      checkOperands(name, positionals, operandName);
      const [operand = ''] = positionals;
      return declared.run({ options: values, operand, operands: positionals }, terminal);
    },
  };
}

function refuseUnknown(name: string, args: readonly string[], options: OptionTable): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const known = Object.keys(options);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`--${token.name} must not be empty`);
    if (!known.includes(token.name))
      throw new UsageError(
        `${name} takes no ${token.rawName}; it takes ${known.map((one) => `--${one}`).join(', ') || 'no options'}`,
      );
  }
}

function parse<O extends OptionTable>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function checkOperands(name: string, operands: readonly string[], wanted: string | undefined): void {
  if (wanted === undefined) {
    if (operands.length > 0) throw new UsageError(`${name} takes no ${operands.join(' ')}`);
  } else if (wanted.endsWith('…')) {
    if (operands.length === 0) throw new UsageError(`${name} takes one ${wanted.slice(0, -1)} or more`);
  } else if (wanted.startsWith('[')) {
    if (operands.length > 1) throw new UsageError(`${name} takes one ${wanted.slice(1, -1)} at most`);
  } else if (operands.length !== 1) throw new UsageError(`${name} takes exactly one ${wanted}`);
}

/** The deployment that a command addresses. */
export const STAGE = { stage: { type: 'string', default: 'dev' } } as const;
/** The result as JSON on standard output. */
export const JSON_FORM = { json: { type: 'boolean', default: false } } as const;
/** Whether a command waits until the run that it starts has ended. */
export const WAIT = { wait: { type: 'boolean', default: false } } as const;

/**
 * The value of an option that accepts only certain words.
 *
 * @throws {UsageError} with these words
 */
export function oneOfWords<T extends string>(option: string, value: string, words: readonly T[]): T {
  const found = words.find((one) => one === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be ${words.join(' or ')}, is ${value}`);
}
