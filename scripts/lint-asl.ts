// `node scripts/lint-asl.ts FILE…`: prints defects of state machines and exits with 1 if there are any.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { definitionProblems } from './lint-asl/definition-problems.ts';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('lint-asl: name the state machines to look at, as in statemachines/batch-inference.asl.yml');
  process.exit(2);
}
let count = 0;
for (const file of files) {
  const definition: unknown = parse(readFileSync(file, 'utf8'));
  for (const { state, message } of await definitionProblems(JSON.stringify(definition))) {
    count += 1;
    console.error(`${file}: ${state === undefined ? '' : `${state}: `}${message}`);
  }
}
if (count > 0) process.exit(1);
