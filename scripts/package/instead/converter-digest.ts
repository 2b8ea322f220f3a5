import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { LAYOUT } from '../layout.ts';

/** The digest of the converter's sources, from which the package was built. */
export function converterDigest(): Promise<string> {
  return readFile(path.join(ROOT, LAYOUT.converterDigest), 'utf8');
}
