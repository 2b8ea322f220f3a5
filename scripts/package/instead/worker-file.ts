import path from 'node:path';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { LAYOUT } from '../layout.ts';

/** The program of the instances, which the package has as one file. */
export function writeWorkerFile(): string {
  return path.join(ROOT, LAYOUT.functionWorker);
}
