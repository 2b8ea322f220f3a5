import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { toJsonSchema } from '../../../src/plan/published-schemas.ts';
import { TrainingPlan } from '../../../src/training/training-plan.ts';

test('docs/schema/training-plan.schema.json is that of the code (node scripts/write-schemas.ts)', async () => {
  const file = new URL('../../../docs/schema/training-plan.schema.json', import.meta.url);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
    toJsonSchema(TrainingPlan, 'inferdrop plan.json of a training', 'output'),
  );
});
