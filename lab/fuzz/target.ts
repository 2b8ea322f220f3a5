import type { Chance } from './chance.ts';

/** One kind of input from outside, and how a change of a right one is to be taken. */
export interface FuzzTarget<Input> {
  readonly name: string;
  /** Inputs that are taken. */
  readonly seeds: readonly Input[];
  mutate(seed: Input, chance: Chance): Input;
  /** Says what's wrong with the target's reaction; undefined if it read the input, or refused it with a reason. */
  judge(input: Input): Promise<string | undefined> | string | undefined;
  /** CPU time that one input may take, in ms; 2,000 where it is left out. */
  readonly mostCpuMs?: number;
  close?(): Promise<void> | void;
}

/** Each file of `targets/` exports one of these by the name `open`. */
export type OpenTarget<Input> = () => Promise<FuzzTarget<Input>> | FuzzTarget<Input>;

/**
 * Judges what a reader did: a value is right, and so is a refusal by one of the named errors with a message that says something.
 * Everything else that is thrown is a defect of the reader.
 */
export async function refusedByName(
  names: readonly string[],
  read: () => unknown,
): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return `threw ${String(error)}`;
    if (!names.includes(error.name)) return `${error.name}: ${error.stack ?? error.message}`;
    return error.message.trim() === '' ? `${error.name} without a message` : undefined;
  }
}
