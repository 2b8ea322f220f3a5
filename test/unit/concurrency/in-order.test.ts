import { expect, test } from 'vitest';
import { inOrder, takeInOrder } from '../../../src/concurrency/in-order.ts';

/** Both ways of taking results in order, as one. */
const ways = {
  inOrder: async <Item, Result>(
    items: readonly Item[],
    limit: number,
    work: (item: Item) => Promise<Result>,
    take: (item: Item, result: Result) => void,
  ) => {
    for await (const [item, result] of inOrder(items, limit, work)) take(item, result);
  },
  takeInOrder,
};

test.each(Object.entries(ways))(
  '%s gives results in the order of the items, however they end',
  async (_, way) => {
    const items = [1, 2, 3, 4, 5, 6, 7];
    const ends = new Map<number, () => void>();
    const found: [number, number][] = [];
    const all = way(
      items,
      3,
      (item) => new Promise<number>((resolve) => ends.set(item, () => resolve(item * 10))),
      (item, result) => found.push([item, result]),
    );
    let most = 0;
    for (let taken = 0; taken < items.length; taken++) {
      await new Promise(setImmediate);
      most = Math.max(most, ends.size);
      // The latest first.
      const [item, end] = [...ends].at(-1)!;
      ends.delete(item);
      end();
      await new Promise(setImmediate);
    }
    await all;
    expect(found).toEqual(items.map((item) => [item, item * 10]));
    expect(most).toBe(3);
  },
);

test.each(Object.entries(ways))(
  '%s fails with the first failure in the order of the items',
  async (_, way) => {
    const taken: number[] = [];
    const all = way(
      [1, 2, 3, 4],
      3,
      async (item) => {
        if (item === 2) await new Promise(setImmediate);
        if (item >= 2) throw new Error(`no ${item}`);
      },
      (item) => taken.push(item),
    );
    await expect(all).rejects.toThrow('no 2');
    expect(taken).toEqual([1]);
  },
);

test.each(Object.entries(ways))('%s of nothing, and of fewer than the limit', async (_, way) => {
  for (const items of [[], [1, 2]]) {
    const taken: number[] = [];
    await way(
      items,
      5,
      async (item) => item,
      (item) => taken.push(item),
    );
    expect(taken).toEqual(items);
  }
});
