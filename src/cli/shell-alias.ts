import path from 'node:path';

const BIN = path.resolve(import.meta.dirname, '..', '..', 'bin', 'inferdrop.mjs');

/**
 * The line that gives a shell the command `inferdrop`, from any folder. Nothing is looked up in a registry: the name is not ours
 * there, and npx would offer to install what somebody else has published under it.
 */
export const ALIAS_LINE = `alias inferdrop=${quote(`node ${quote(BIN)}`)}`;

/** A word as POSIX shells read it; as it is where none of its characters means something to them. */
function quote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
