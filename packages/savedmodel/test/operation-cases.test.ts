import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { CONVERTIBLE_OPERATIONS } from '../onnx/convert-graph.ts';
import { judgeCases } from './support/operation-cases.ts';

/**
 * A third of the cases judges every operation; the laboratory `cases` judges all each week, and the oracle others after each change of the
 * converter.
 */
const ONE_OF = process.env['CASES'] === 'all' ? 1 : 3;

/** Made by TensorFlow: lab/operations/make_cases.py. */
const folder = fileURLToPath(new URL('./fixtures/cases/', import.meta.url));
const families = readdirSync(folder).sort();

/** Where TensorFlow answers and a run here ends with an error. */
const STOPS = [
  /ArgM(ax|in)\): the tensor has no elements$/,
  /: the matrices have no columns$/,
  /MaxPool(3D)?\): a value is minus infinity or not a number$/,
  /LRN\): a value is infinite or not a number$/,
  /: the images are smaller than its window$/,
  /: the product of integers exceeds 2\^53$/,
  /Size of dimension being split is 0/,
  /(left|right) operand cannot broadcast on dim/,
  /Integer (division|modulo) by zero/,
  /Cannot slice scalars/,
  /: the loop does not run, so the shape of its list is open$/,
];

/** What no refusal may name: forms that are converted, and what only onnxruntime has refused. */
const CONVERTED = [
  'converted: onnxruntime',
  'StridedSlice (computed index)',
  'UnsortedSegmentSum (',
  'UnsortedSegmentMax (',
];

/** Operations that no case names: these only become constants, stand for one that has cases, or have no answer (assertions.test.ts). */
const WITHOUT_CASES: readonly string[] = ['Assert', 'EmptyTensorList', 'If', 'While'];

/** Share of chains that show in which bits kernels differ. */
const MAX_OF_KERNELS = 0.05;

const judged = new Map<string, number>();

test.each(families)('%s: every answer is TensorFlow’s, or the model is refused by name', async (family) => {
  const judgments = await judgeCases(join(folder, family), undefined, ONE_OF);
  const linesOf = (verdict: string) =>
    judgments
      .filter((one) => one.verdict === verdict)
      .map(({ op, name, detail }) => `${op} ${name}: ${detail}`);
  expect(linesOf('wrong')).toEqual([]);
  expect(linesOf('kernels').length).toBeLessThanOrEqual(judgments.length * MAX_OF_KERNELS);
  // onnxruntime computes some functions in groups of numbers: hence the batches that are also run one by one.
  const alone = judgments.filter(({ differsAlone }) => differsAlone === true);
  expect(alone.length).toBeLessThanOrEqual(judgments.length * MAX_OF_KERNELS);
  expect(linesOf('stopped').filter((one) => !STOPS.some((stop) => stop.test(one)))).toEqual([]);
  expect(linesOf('refused').filter((one) => CONVERTED.some((form) => one.includes(form)))).toEqual([]);
  expect(judgments.length).toBeGreaterThanOrEqual(200 / (ONE_OF + 1));
  for (const { op } of judgments) {
    const [name = ''] = op.split(' ');
    judged.set(name, (judged.get(name) ?? 0) + 1);
  }
});

afterAll(() => {
  const without = CONVERTIBLE_OPERATIONS.filter((op) => (judged.get(op) ?? 0) < (ONE_OF === 1 ? 10 : 4));
  expect(without, 'operations that need a family in lab/operations').toEqual(WITHOUT_CASES);
});
