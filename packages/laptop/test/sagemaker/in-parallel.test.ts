import { expect, test } from 'vitest';
import { inParallel } from '../../sagemaker/jobs/in-parallel.ts';

test('results keep the order of the items, whichever is done first', async () => {
  const slow = Promise.withResolvers<void>();
  const results = inParallel([1, 2, 3], 2, async (item) => {
    if (item === 1) await slow.promise;
    if (item === 3) slow.resolve();
    return item * 10;
  });
  expect(await results).toEqual([10, 20, 30]);
});

test('after a failure nothing more is begun', async () => {
  const begun: number[] = [];
  const failing = inParallel([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('two');
  });
  await expect(failing).rejects.toThrow('two');
  expect(begun).toEqual([1, 2]);
});
