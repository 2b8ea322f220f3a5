import { expect, test } from 'vitest';
import { createJointRuns } from '../engine/joint-runs.ts';
import type { NamedTensors, Tensor } from '../savedmodel/servable-model.ts';

type Formula = (row: number, rows: readonly number[]) => number;

/** A model of one number in and one out, which keeps the sizes of its runs. */
function modelOf(formula: Formula) {
  const sizes: number[] = [];
  const differed: number[] = [];
  const session = {
    prepare: async (feeds: NamedTensors) => {
      if (feeds.has('bad')) throw new Error('no image');
      return feeds;
    },
    async infer(inputs: NamedTensors) {
      const rows = [...(inputs.get('x') as Tensor & { dtype: 'float32' }).data];
      sizes.push(rows.length);
      const data = Float32Array.from(rows, (row) => formula(row, rows));
      return new Map<string, Tensor>([['y', { dtype: 'float32', shape: [rows.length], data }]]);
    },
  };
  const run = createJointRuns(session, { onDifference: (rows) => differed.push(rows) });
  const call = async (rows: readonly (number | readonly number[])[]) => {
    const results = await run(rows.map((row) => feed([row].flat())));
    return results.map((result) =>
      result.status === 'fulfilled' ? [...result.value.get('y')!.data] : String(result.reason),
    );
  };
  return { sizes, differed, run, call };
}

function feed(rows: readonly number[]): NamedTensors {
  return new Map([['x', { dtype: 'float32', shape: [rows.length], data: Float32Array.from(rows) }]]);
}

test('calls run as one once they have agreed twice with each of them alone', async () => {
  const model = modelOf((row) => row * 2);
  for (let time = 0; time < 3; time++) expect(await model.call([1, 2, 3])).toEqual([[2], [4], [6]]);
  expect(model.sizes).toEqual([1, 1, 1, 3, 1, 1, 1, 3, 3]);
});

test('a model whose answers depend on the other rows never runs jointly again', async () => {
  const model = modelOf((row, rows) => row - Math.max(...rows));
  for (let time = 0; time < 3; time++) expect(await model.call([1, 2])).toEqual([[0], [0]]);
  expect(model.sizes).toEqual([1, 1, 2, 1, 1, 1, 1]);
});

test('a difference in the last bit counts', async () => {
  const model = modelOf((row, rows) => row + (rows.length > 1 ? 2 ** -23 : 0));
  for (let time = 0; time < 2; time++) expect(await model.call([1, 1.5])).toEqual([[1], [1.5]]);
  expect(model.sizes).toEqual([1, 1, 2, 1, 1]);
});

test('one of 64 trusted batches is also run one by one, and a difference ends joint runs of its form for good', async () => {
  const model = modelOf((row, rows) => row + (rows.length > 1 && row > 1000 ? 2 ** -10 : 0));
  for (let time = 0; time < 2 + 63; time++) expect(await model.call([1, 2])).toEqual([[1], [2]]);
  expect(model.sizes.slice(-3)).toEqual([2, 2, 2]);
  expect(await model.call([1001, 1002])).toEqual([[1001], [1002]]);
  expect(model.sizes.slice(-3)).toEqual([1, 1, 2]);
  expect(model.differed).toEqual([2]);
  expect(await model.call([1001, 1002])).toEqual([[1001], [1002]]);
  expect(model.sizes.slice(-3)).toEqual([2, 1, 1]);
});

test('equal rows prove nothing', async () => {
  const model = modelOf((row, rows) => row - Math.max(...rows));
  for (let time = 0; time < 3; time++) await model.call([5, 5]);
  expect(await model.call([1, 5])).toEqual([[0], [0]]);
});

test('calls of several rows get their own, and no run has more than eight', async () => {
  const model = modelOf((row) => row + 1);
  const rows = [[1, 2, 3], [4, 5], 6, [7, 8, 9]];
  for (let time = 0; time < 3; time++)
    expect(await model.call(rows)).toEqual([[2, 3, 4], [5, 6], [7], [8, 9, 10]]);
  expect(model.sizes.slice(-2)).toEqual([6, 3]);
});

test('what cannot be prepared fails alone', async () => {
  const model = modelOf((row) => row);
  const bad: NamedTensors = new Map([...feed([0]), ['bad', feed([0]).get('x')!]]);
  const results = await model.run([feed([1]), bad, feed([2])]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a joint run that fails is done again one by one', async () => {
  const model = modelOf((row, rows) => {
    if (rows.includes(13)) throw new Error('unlucky');
    return row;
  });
  for (let time = 0; time < 2; time++) await model.call([1, 2]);
  expect(await model.call([1, 13])).toEqual([[1], 'Error: unlucky']);
});
