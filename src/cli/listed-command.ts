import type { DefinedCommand } from './define-command.ts';

/** A command: its line in the overview, and its file, loaded on use, because just the stack has hundreds of modules. */
export interface ListedCommand {
  /** At most 50 characters. */
  readonly summary: string;
  /** Command that shares its line of the overview, and the text of that line. */
  readonly beside?: { readonly command: string; readonly summary: string };
  load(): Promise<{ readonly command: DefinedCommand }>;
}

/** Commands that share their first word, by their second. */
export interface CommandGroup {
  readonly summary: string;
  /** Second word that is meant when only the first is given. */
  readonly alone?: string;
  readonly verbs: Readonly<Record<string, ListedCommand>>;
}

/** Commands and groups by their first word. */
export type CommandMap = ReadonlyMap<string, ListedCommand | CommandGroup>;
