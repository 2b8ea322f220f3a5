import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const RECORDS = 400_000;
const module = path.resolve(import.meta.dirname, '../../../src/prediction/read-output.ts');

/** Predictions alone would take three times the heap that the reader is given. */
const SCRIPT = `
  import { eachPrediction } from ${JSON.stringify(module)};
  const [line] = process.argv.slice(1);
  const output = Buffer.from((line + '\\n').repeat(${RECORDS}));
  let count = 0;
  for (const _ of eachPrediction(output, { scoreCount: 3, oneRecord: false })) count++;
  console.log(count);
`;

test.each([
  ['rows', '0.25,0.25,0.5'],
  ['documents', '[0.25,0.25,0.5]'],
])('an output of many %s is not held in memory record by record', (_, line) => {
  const flags = ['--max-old-space-size=40', '--input-type=module'];
  const printed = execFileSync(process.execPath, [...flags, '--eval', SCRIPT, '--', line], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(Number(printed)).toBe(RECORDS);
});
