import path from 'node:path';
import { ROOT } from '../root-folder.ts';

const BIN = path.join(ROOT, 'bin', 'inferdrop.mjs');

/**
 * The line that defines the command `inferdrop` in a shell, from any folder. Nothing is looked up in a registry: the name there
 * is not this project's, and npx would offer to install a foreign package of that name.
 */
export const ALIAS_LINE = `alias inferdrop=${quote(`node ${quote(BIN)}`)}`;

/** A word quoted for POSIX shells; unquoted where it has no special characters. */
function quote(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
