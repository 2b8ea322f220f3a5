import path from 'node:path';
import { packageApplication } from './package-application.ts';

/** Packages `serverless.yml` offline and holds the template to the rules that a reader would look for. */
const root = path.resolve(import.meta.dirname, '..');
const { template } = await packageApplication(root, 'dev');

const problems: string[] = [];
if (template.includes('arn:aws:')) problems.push('a literal arn:aws: would not work in other partitions');
for (const wildcard of ['"Action":"*"', '"Action": "*"']) {
  if (template.includes(wildcard)) problems.push('a role may do everything');
}
for (const problem of problems) console.error(`serverless.yml: ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;
