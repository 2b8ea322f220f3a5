import { expect, test } from 'vitest';
import { batchSize } from '../../../src/transform/predict-function.ts';

test.each([
  [1, 8, 1],
  [63, 8, 1],
  [64, 8, 2],
  [10_000, 8, 5],
  [10_000, 1_000, 2],
  [0, 1, 1],
])('%d bundles for %d functions at once go in batches of %d', (bundles, functions, size) => {
  expect(batchSize(bundles, functions)).toBe(size);
});
