import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';
import { installPart } from '../../scripts/parts.mjs';
import { nearestName } from '../pipeline/nearest-name.ts';
import { ROOT } from './root-folder.ts';
import type { Terminal } from './show/terminal.ts';
import { UsageError } from './usage-error.ts';

/** An option: the part that Node's `parseArgs` reads, and the part that `--help` and completions show. */
export type Option = ParseArgsOptionDescriptor & {
  /** Its effect in a few words, without its default. */
  readonly text: string;
  /** Placeholder of its value, as `NAME`, or the words that it accepts, as `gpu|cpu`. */
  readonly value?: string;
  readonly required?: true;
};
/** The options of a command by their long names. */
type OptionTable = Readonly<Record<string, Option>>;

type ParsedValues<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; tokens: true }>
>['values'];
/** The values of the options that a table declares. */
export type OptionValues<O extends OptionTable> = ParsedValues<O> & {
  readonly [K in keyof O as O[K] extends { readonly required: true } ? K : never]: string;
};

/** A parsed command line. */
interface Asked<O extends OptionTable> {
  readonly options: OptionValues<O>;
  /** The operand, or the first of several; empty if none was given. */
  readonly operand: string;
  readonly operands: readonly string[];
}

/** A command's description of itself, from which `--help` and the completions are made. */
interface Description<O extends OptionTable> {
  /** Sentences of `--help`; the first says what it does. */
  readonly about: string;
  readonly options: O;
  /**
   * The operand, in the form `RUN` if it is required, `FILE…` for one or more, `[FILE]` for at most one, `RUN RUN…` for two
   * or more, `MODEL [FOLDER]` for one or two; without it the command takes none.
   */
  readonly operand?: string;
  /** Mutually exclusive options, each another form of the result. */
  readonly oneOf?: readonly (keyof O & string)[];
  /** Meaning of exit codes that differs from {@link EXIT_CODES}. */
  readonly exitCodes?: Readonly<Partial<Record<0 | 1 | 3, string>>>;
  /** Whole command lines. */
  readonly examples: readonly [string, ...string[]];
  /** Part that the command runs with, installed before it begins. */
  readonly needs?: 'onnxruntime';
  /** Page of this repository to read next. */
  readonly page: string;
}

/** The declaration in a command's file. */
interface Declaration<O extends OptionTable> extends Description<O> {
  /** @returns the exit code */
  run(asked: Asked<O>, terminal: Terminal): Promise<number>;
}

/** A command with unparsed arguments. */
export interface DefinedCommand extends Description<OptionTable> {
  /**
   * Checks the arguments after the command's name.
   *
   * @throws {UsageError} for an unknown option or operand, or a missing one, with the known ones
   */
  check(name: string, args: readonly string[]): void;
  /** Checks the arguments after the command's name, and runs it. */
  call(name: string, args: readonly string[], terminal: Terminal): Promise<number>;
}

/** Declares a command. Its options are listed only in its table. */
export function defineCommand<const O extends OptionTable>(declared: Declaration<O>): DefinedCommand {
  return {
    ...declared,
    check: (name, args) => void ask(name, args, declared),
    async call(name, args, terminal) {
      const asked = ask(name, args, declared);
      if (declared.needs !== undefined) installPart(declared.needs, ROOT, (line) => terminal.note(line));
      return declared.run(asked, terminal);
    },
  };
}

function ask<O extends OptionTable>(
  name: string,
  args: readonly string[],
  { options, operand: operandName, oneOf = [] }: Description<O>,
): Asked<O> {
  refuseUnknown(name, args, options, operandName);
  const { values, positionals } = parse(args, options);
  const given = oneOf.filter((one) => {
    const value: unknown = Reflect.get(values, one);
    return value !== undefined && value !== false;
  });
  if (given.length > 1)
    throw new UsageError(`${name} takes one of ${given.map((one) => `--${one}`).join(' and ')}, not both`);
  checkOperands(name, positionals, operandName);
  const missing = Object.entries(options).filter(
    ([option, { required }]) => required === true && Reflect.get(values, option) === undefined,
  );
  if (!isComplete<O>(values, missing))
    throw new UsageError(
      `${name} needs ${missing.map(([option, { value }]) => `--${option} ${value}`).join(' and ')}`,
    );
  const [operand = ''] = positionals;
  return { options: values, operand, operands: positionals };
}

function isComplete<O extends OptionTable>(
  _: ParsedValues<O>,
  missing: readonly unknown[],
): _ is OptionValues<O> {
  return missing.length === 0;
}

function refuseUnknown(
  name: string,
  args: readonly string[],
  options: OptionTable,
  operand: string | undefined,
): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const known = Object.keys(options);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.value === '') throw new UsageError(`--${token.name} must not be empty`);
    if (known.includes(token.name)) continue;
    const nearest = token.rawName.startsWith('--') ? nearestName(token.name, known) : undefined;
    throw new UsageError(
      `${name} takes no ${token.rawName}${
        nearest === undefined
          ? `; it takes ${[...(operand === undefined ? [] : [operand]), ...known.map((one) => `--${one}`)].join(', ') || 'no options'}`
          : `: did you mean --${nearest}?`
      }`,
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
    const [first = '', ...others] = wanted.slice(0, -1).split(' ');
    if (operands.length <= others.length)
      throw new UsageError(`${name} takes ${others.length === 0 ? 'one' : 'two'} ${first} or more`);
  } else if (wanted.startsWith('[')) {
    if (operands.length > 1) throw new UsageError(`${name} takes one ${wanted.slice(1, -1)} at most`);
  } else if (wanted.includes(' ')) {
    const words = wanted.split(' ');
    const needed = words.filter((word) => !word.startsWith('['));
    if (operands.length < needed.length || operands.length > words.length)
      throw new UsageError(`${name} takes ${wanted}`);
  } else if (operands.length !== 1)
    throw new UsageError(`${name} takes exactly one ${wanted.includes('|') ? 'of ' : ''}${wanted}`);
}

/** Exit codes of a command that says nothing else of them. */
export const EXIT_CODES = { 0: 'done', 1: 'failed or refused', 2: 'wrong command line' } as const;
/** Exit codes of a command that finishes with a run's result. */
export const RUN_EXIT_CODES = {
  0: 'predicted, and the gate passed or there is none',
  3: 'predicted, and the gate failed or had too few labeled inputs for a verdict',
} as const;

/** An option without a value, off unless it is given. */
export function flag(text: string) {
  return { type: 'boolean', default: false, text } as const;
}

/** An option with a value, such as `valued('NAME', "another name than the folder's")`. */
export function valued(value: string, text: string) {
  return { type: 'string', value, text } as const;
}

/** An option with a value that it has if it isn't given. */
export function defaulted(value: string, placeholder: string, text: string) {
  return { type: 'string', default: value, value: placeholder, text } as const;
}

/** An option that must be given. */
export function required(value: string, text: string) {
  return { type: 'string', value, required: true, text } as const;
}

/** The deployment that a command addresses. */
export const STAGE = {
  stage: defaulted('dev', 'NAME', 'the deployment, at AWS_ENDPOINT_URL or else in AWS'),
} as const;
/** The result as JSON on standard output. */
export const JSON_FORM = {
  json: flag('print the result as JSON, for scripts'),
} as const;
/** Whether a command waits until the run that it starts has ended. */
export const WAIT = {
  wait: flag('show the run until it has ended, then its result'),
} as const;

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
