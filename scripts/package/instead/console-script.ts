import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { LAYOUT } from '../layout.ts';

/** The script of the console's pages, which the package has as one file. */
export function consoleScript(): Promise<string> {
  return readFile(path.join(ROOT, LAYOUT.consoleScript), 'utf8');
}
