import { statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { toSize } from '../src/text/size.ts';
import { setFunctionEnvironment } from '../test/support/function-environment.ts';
import { importMs } from './import-ms.ts';
import { packageApplication } from './package-application.ts';

/** Caps in bytes on the functions with callers that wait for a cold start. Steps of a run have no limit (ADR 4). */
const MAX_BYTES = new Map([
  ['predict', 200_000],
  ['api', 560_000],
]);

/** Packages `serverless.yml` offline and checks rules for the template and the bundles. */
const root = path.resolve(import.meta.dirname, '..');
const { template, bundles } = await packageApplication(root, 'dev');

const problems: string[] = [];
if (template.includes('arn:aws:'))
  problems.push('serverless.yml: a literal arn:aws: would not work in other partitions');
for (const wildcard of ['"Action":"*"', '"Action": "*"']) {
  if (template.includes(wildcard)) problems.push('serverless.yml: a role may do everything');
}

setFunctionEnvironment();
for (const [name, limit] of MAX_BYTES) {
  const file = path.join(bundles, name, 'index.mjs');
  const sizeBytes = statSync(file).size;
  const size = toSize(sizeBytes);
  console.log(
    `functions/${name}.ts: ${size}, imported in ${importMs(pathToFileURL(file).href).toFixed(0)} ms`,
  );
  if (sizeBytes > limit)
    problems.push(`functions/${name}.ts: the bundle is ${size}, the limit ${limit / 1000} kB`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
