import { expect, test } from 'vitest';
import type { ServableModel, Tensor } from '@inferdrop/savedmodel/servable-model';
import { batchRequests } from '../tensorflow/serving/request-batching.ts';

const floats = (...values: number[]): ReadonlyMap<string, Tensor> =>
  new Map([['x', { dtype: 'float32', shape: [values.length], data: Float32Array.from(values) }]]);

/** A batched model that doubles, the sizes of its runs, and a way to let the wait be over. */
function batched(maxBatchSize: number, run?: ServableModel['run']) {
  const runs: number[] = [];
  const waits: (() => void)[] = [];
  const double: ServableModel = {
    signatures: [],
    run: async (signature, feeds) => {
      const x = feeds.get('x') as Tensor & { dtype: 'float32' };
      runs.push(x.data.length);
      return run ? run(signature, feeds) : new Map([['y', { ...x, data: x.data.map((value) => 2 * value) }]]);
    },
    close: async () => undefined,
  };
  const after = (_micros: number, callback: () => void) => void waits.push(callback);
  const model = batchRequests(double, { maxBatchSize, batchTimeoutMicros: 1000, after });
  const ask = async (...values: number[]) => [
    ...((await model.run('s', floats(...values))).get('y')!.data as Float32Array),
  ];
  return { ask, runs, timeout: () => waits.splice(0).forEach((callback) => callback()) };
}

test('requests that come together run together, and each gets its own rows', async () => {
  const { ask, runs, timeout } = batched(8);
  const answers = Promise.all([ask(1), ask(2, 3), ask(4)]);
  timeout();
  expect(await answers).toEqual([[2], [4, 6], [8]]);
  expect(runs).toEqual([4]);
});

test('a full batch does not wait', async () => {
  const { ask, runs } = batched(2);
  expect(await Promise.all([ask(1), ask(2), ask(3, 4)])).toEqual([[2], [4], [6, 8]]);
  expect(runs).toEqual([2, 2]);
});

test('what does not fit any more starts the next batch', async () => {
  const { ask, runs, timeout } = batched(3);
  const answers = Promise.all([ask(1, 2), ask(3, 4)]);
  timeout();
  expect(await answers).toEqual([
    [2, 4],
    [6, 8],
  ]);
  expect(runs).toEqual([2, 2]);
});

test('a request over the batch size is refused', async () => {
  await expect(batched(1).ask(1, 2)).rejects.toThrow('Task size 2 is larger than maximum input batch size 1');
});

test('what fails a batch fails each of its requests', async () => {
  const { ask } = batched(2, () => Promise.reject(new Error('boom')));
  const results = await Promise.allSettled([ask(1), ask(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
