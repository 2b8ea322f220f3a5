import { beforeAll, expect, test } from 'vitest';
import { installEngine } from '@inferdrop/model-container/internal/engine-environment';
import { runExample } from './example-run.ts';
import { expectPromoted } from './expect-promoted.ts';

beforeAll(() => installEngine('tensorflow', () => undefined));

test('two hosts train one TensorFlow model through parameter servers; it is judged, promoted, and predicts', async () => {
  const run = await runExample('tensorflow');
  expectPromoted(run);
  expect(run.said('algo-1')).toContain('800 images');
  // Each step of either worker has counted: 15 epochs of 25 batches.
  expect(run.said('algo-1')).toMatch(
    /^375 steps into the variables on \/job:ps\/replica:0\/task:0\S* \/job:ps\/replica:0\/task:1\S*$/m,
  );
  expect(run.said('algo-2')).toContain('host 2 of 2 is the worker grpc://');
});
