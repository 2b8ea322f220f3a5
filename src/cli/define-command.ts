import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

type OptionTable = NonNullable<ParseArgsConfig['options']>;
/** The values of the options that a table declares. */
export type OptionValues<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; tokens: true }>
>['values'];

/** What a command's own file says of it. */
interface Declaration<O extends OptionTable> {
  /** As `--help` shows it: each way to call it, from `inferdrop` on, and below that what it does. */
  readonly usage: string;
  /** As Node's `parseArgs` takes them. */
  readonly options: O;
  /** The one operand that it must have, as `RUN`, or `FILE…` for one and more; without it the command takes none. */
  readonly operand?: string;
  /** Options of which one may be given, since each is another form of the result. */
  readonly oneOf?: readonly (keyof O & string)[];
  /** @returns the exit code */
  run(
    asked: {
      readonly options: OptionValues<O>;
      /** The operand, or the first of several; empty for a command that takes none. */
      readonly operand: string;
      readonly operands: readonly string[];
    },
    terminal: Terminal,
  ): Promise<number>;
}

/** A command whose arguments are still to be read. */
export interface DefinedCommand {
  readonly usage: string;
  /**
   * Reads what follows the command's name, and carries it out.
   *
   * @throws {UsageError} for an option, operand or value that is not known, with what is
   */
  call(name: string, args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Declares a command: the table of options is the only place that knows them. */
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
  } else if (operands.length !== 1) throw new UsageError(`${name} takes exactly one ${wanted}`);
}

/** Which deployment a command speaks to. */
export const STAGE = { stage: { type: 'string', default: 'dev' } } as const;
/** The result as JSON on standard output. */
export const JSON_FORM = { json: { type: 'boolean', default: false } } as const;
/** Whether a command stays until the run that it starts has ended. */
export const WAIT = { wait: { type: 'boolean', default: false } } as const;

/**
 * The value of an option that knows a few words.
 *
 * @throws {UsageError} with these words
 */
export function oneOfWords<T extends string>(option: string, value: string, words: readonly T[]): T {
  const found = words.find((one) => one === value);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be ${words.join(' or ')}, is ${value}`);
}
