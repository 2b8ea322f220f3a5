import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder, which goes with all others of the tests when the last of them has ended. */
export const temporaryFolder = (prefix: string): string => mkdtempSync(path.join(tmpdir(), prefix));
