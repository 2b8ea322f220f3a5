import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { misspeltType } from '../../../src/plan/judge/misspelt-type.ts';

const MODEL = new URL('../../../packages/laptop/service-model/models/sagemaker.json', import.meta.url);
const { shapes }: { shapes: Record<string, { enum: string[] }> } = JSON.parse(readFileSync(MODEL, 'utf8'));

test.each(['TransformInstanceType', 'TrainingInstanceType', 'ProductionVariantInstanceType'])(
  "no type of AWS's enumeration %s is taken for a mistake",
  (shape) => {
    expect(shapes[shape]!.enum.filter((type) => misspeltType(type) !== undefined)).toEqual([]);
  },
);

test.each([
  ['ml.m5.xlage', 'did you mean ml.m5.xlarge?'],
  ['ml.m5.3xlarge', 'did you mean ml.m5.xlarge?'],
  ['ml.quantum.enormous', 'correct it'],
])('%s is one: %s', (type, remedy) => {
  expect(misspeltType(type)).toContain(`is not a known instance type; ${remedy}`);
});
