import { expect, it } from 'vitest';
import { eachOf } from '../../../src/concurrency/each-of.ts';

it('gives the items of all batches in their order, those of empty ones too', async () => {
  const batches = (async function* () {
    yield [1, 2];
    yield [];
    yield [undefined];
    yield [3];
  })();
  expect(await Array.fromAsync(eachOf(batches))).toEqual([1, 2, undefined, 3]);
});

it('ends the batches where a reader stops early, and gives no further item', async () => {
  let ended = false;
  const batches = (async function* () {
    try {
      for (;;) yield ['a', 'b'];
    } finally {
      ended = true;
    }
  })();
  const each = eachOf(batches);
  for await (const item of each) if (item === 'a') break;
  expect([ended, await each.next()]).toEqual([true, { done: true, value: undefined }]);
});

it('throws what a batch throws', async () => {
  const batches = (async function* (): AsyncGenerator<readonly number[]> {
    yield [1];
    throw new Error('the connection broke');
  })();
  await expect(Array.fromAsync(eachOf(batches))).rejects.toThrow('the connection broke');
});
