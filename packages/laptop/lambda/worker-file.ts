import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

/**
 * Writes the program of the instances as one JavaScript file below `dir`, and gives its path: a worker that had to strip
 * types itself would take 100 ms of processor time more to start.
 */
export function writeWorkerFile(dir: string): string {
  const outfile = join(dir, 'runtime', 'function-worker.mjs');
  buildSync({
    entryPoints: [fileURLToPath(import.meta.resolve('#laptop/lambda/function-worker.ts'))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    logLevel: 'silent',
  });
  return outfile;
}
