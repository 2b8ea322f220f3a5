import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildFunctions } from '../../scripts/build-functions.ts';
import { importMs } from '../../scripts/import-ms.ts';
import { setFunctionEnvironment } from '../../test/support/function-environment.ts';

/**
 * Cost of a cold start: each function's bundle is imported in a new process, without a cache of compiled code, as Lambda
 * does. Beside it stands the import of the SDK's S3 client as npm installs it, which every function would need unbundled.
 */
const ROUNDS = 7;

const root = path.resolve(import.meta.dirname, '..', '..');

setFunctionEnvironment();
const folder = path.join('build', 'bench-bundles');
const bundles = await buildFunctions(root, folder);
const peer = medianImportMs(import.meta.resolve('@aws-sdk/client-s3'));
console.log(
  `${'@aws-sdk/client-s3'.padEnd(20)} unbundled ${peer.toFixed(0).padStart(4)} ms, median of ${ROUNDS}`,
);
for (const { name, file, sizeBytes } of bundles) {
  const ms = medianImportMs(pathToFileURL(path.join(root, file)).href);
  console.log(
    `${name.padEnd(20)} ${(sizeBytes / 1000).toFixed(0).padStart(4)} kB  ${ms.toFixed(0).padStart(4)} ms  ${(ms / peer).toFixed(2)} of it`,
  );
}

/** The median of several new processes. */
function medianImportMs(url: string): number {
  const times = Array.from({ length: ROUNDS }, () => importMs(url)).sort((a, b) => a - b);
  return times[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}
