import path from 'node:path';
import { buildFunctions } from './build-functions.ts';

/** Bundles every function and prints the sizes. */
for (const { name, sizeBytes } of await buildFunctions(path.resolve(import.meta.dirname, '..'))) {
  console.log(`${name.padEnd(20)} ${(sizeBytes / 1000).toFixed(0).padStart(5)} kB`);
}
