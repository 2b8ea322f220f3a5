import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toJsonSchema } from '../../../src/plan/published-schemas.ts';
import { Receipt } from '../../../src/report/receipt.ts';
import { Report } from '../../../src/report/report.ts';

test.each([
  ['report', Report],
  ['receipt', Receipt],
])('docs/schema/%s.schema.json is that of the code (npm run generate)', async (name, schema) => {
  const file = new URL(`../../../docs/schema/${name}.schema.json`, import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
    toJsonSchema(schema, `inferdrop ${name}.json`, 'output'),
  );
});
