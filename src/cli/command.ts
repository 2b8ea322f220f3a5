import type { Terminal } from './terminal.ts';

/** What remains to be done once the command line is read: resolves to the exit code. */
export type Command = (terminal: Terminal) => Promise<number>;
