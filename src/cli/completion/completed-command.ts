import type { Option } from '../define-command.ts';
import type { CommandGroup, CommandMap, ListedCommand } from '../listed-command.ts';

/** Values that a completion can offer: words, files of this machine, or none that it knows. */
export type Offer = { readonly words: readonly string[] } | 'files' | 'nothing';

/** An option as a completion offers it. */
export interface CompletedOption {
  readonly long: string;
  readonly short: string | undefined;
  readonly text: string;
  /** Undefined for an option without a value. */
  readonly value: Offer | undefined;
}

/** A command as a completion offers it. */
export interface CompletedCommand {
  readonly name: string;
  readonly options: readonly CompletedOption[];
  readonly operand: Offer;
}

/** Words that may follow `inferdrop`, for the scripts of all shells. */
export interface Completed {
  readonly commands: CommandMap;
  /** Groups that are also commands on their own. */
  readonly groups: readonly (readonly [name: string, group: CommandGroup])[];
  readonly completed: readonly CompletedCommand[];
}

/** Reads what the commands declare; `named` has each by its full name. */
export async function completedCommands(
  commands: CommandMap,
  named: readonly (readonly [name: string, command: ListedCommand])[],
): Promise<Completed> {
  const groups = [...commands].flatMap(([name, entry]) => ('verbs' in entry ? [[name, entry] as const] : []));
  const completed = await Promise.all(
    named.map(async ([name, { load }]) => {
      const { options, operand } = (await load()).command;
      return {
        name,
        options: Object.entries(options).map(([long, option]) => toCompleted(long, option)),
        operand: offerOf(operand ?? ''),
      };
    }),
  );
  return { commands, groups, completed };
}

function toCompleted(long: string, { type, short, text, value = '' }: Option): CompletedOption {
  return { long, short, text, value: type === 'boolean' ? undefined : offerOf(value) };
}

/** Placeholders in small letters are the words themselves; FILE and its like are files. */
function offerOf(placeholder: string): Offer {
  if (/^[a-z\d|-]+$/.test(placeholder)) return { words: placeholder.split('|') };
  return /^\[?(FILE|FOLDER|DIR)/.test(placeholder) ? 'files' : 'nothing';
}
