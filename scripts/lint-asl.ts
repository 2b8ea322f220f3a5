// `node scripts/lint-asl.ts FILE…`: prints what is wrong with state machines and exits 1 if anything is.
import { readFileSync } from 'node:fs';
import { definitionProblems } from './lint-asl/definition-problems.ts';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('lint-asl: name the state machines to look at, as in statemachines/batch-inference.asl.json');
  process.exit(2);
}
let count = 0;
for (const file of files) {
  for (const { state, message } of await definitionProblems(readFileSync(file, 'utf8'))) {
    count += 1;
    console.error(`${file}: ${state === undefined ? '' : `${state}: `}${message}`);
  }
}
if (count > 0) process.exit(1);
