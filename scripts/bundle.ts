import path from 'node:path';
import { toSize } from '../src/text/size.ts';
import { buildFunctions } from './build-functions.ts';
import { addNativePart, LAMBDA } from './native-part.ts';

/** Bundles every function for Lambda and prints the sizes. */
const root = path.resolve(import.meta.dirname, '..');
const functions = await buildFunctions(root);
await addNativePart(root, path.join(root, 'build', 'functions'), LAMBDA);
for (const { name, sizeBytes } of functions) {
  console.log(`${name.padEnd(20)} ${toSize(sizeBytes).padStart(8)}`);
}
