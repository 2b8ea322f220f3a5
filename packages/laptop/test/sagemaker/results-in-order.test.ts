import { expect, test } from 'vitest';
import { createSlots, resultsInOrder } from '../../sagemaker/jobs/results-in-order.ts';

async function* numbers(until: number, asked: number[] = []): AsyncGenerator<number> {
  for (let n = 1; n <= until; n++) {
    asked.push(n);
    yield n;
  }
}

function all<R>(items: AsyncIterable<number>, slots: number, work: (item: number) => Promise<R>) {
  return Array.fromAsync(resultsInOrder(items, { slots: createSlots(slots), window: 100 }, work));
}

test('results keep the order of the items, whichever is done first', async () => {
  const slow = Promise.withResolvers<void>();
  const results = all(numbers(3), 2, async (item) => {
    if (item === 1) await slow.promise;
    if (item === 3) slow.resolve();
    return item * 10;
  });
  expect(await results).toEqual([10, 20, 30]);
});

test('no more are under way than there are slots, and one more is read ahead', async () => {
  const asked: number[] = [];
  const gate = Promise.withResolvers<void>();
  let underWay = 0;
  const results = all(numbers(6, asked), 2, async (item) => {
    underWay++;
    await gate.promise;
    return item;
  });
  await new Promise(setImmediate);
  expect([underWay, asked]).toEqual([2, [1, 2, 3]]);
  gate.resolve();
  expect(await results).toEqual([1, 2, 3, 4, 5, 6]);
});

test('after a failure nothing more is begun, and what is under way is waited for', async () => {
  const begun: number[] = [];
  const second = Promise.withResolvers<void>();
  let ended = false;
  const failing = all(numbers(9), 2, async (item) => {
    begun.push(item);
    if (item === 1) {
      await second.promise;
      throw new Error('one');
    }
    second.resolve();
    await new Promise(setImmediate);
    ended = true;
  });
  await expect(failing).rejects.toThrow('one');
  expect(begun).toEqual([1, 2]);
  expect(ended).toBe(true);
});

test('items that fail to come fail the whole, after what is under way', async () => {
  let ended = false;
  async function* torn(): AsyncGenerator<number> {
    yield 1;
    throw new Error('torn');
  }
  const failing = all(torn(), 3, async () => {
    await new Promise(setImmediate);
    ended = true;
  });
  await expect(failing).rejects.toThrow('torn');
  expect(ended).toBe(true);
});

test('behind one that takes long, no more is begun than the window allows', async () => {
  const first = Promise.withResolvers<void>();
  const begun: number[] = [];
  const results = resultsInOrder(numbers(20), { slots: createSlots(2), window: 5 }, async (item) => {
    begun.push(item);
    if (item === 1) await first.promise;
    return item;
  });
  const one = results.next();
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  first.resolve();
  expect((await one).value).toBe(1);
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await Array.fromAsync(results)).toEqual(Array.from({ length: 19 }, (_, index) => index + 2));
});

test('a consumer that stops ends the work', async () => {
  const begun: number[] = [];
  let ended = 0;
  const results = resultsInOrder(numbers(20), { slots: createSlots(2), window: 4 }, async (item) => {
    begun.push(item);
    await new Promise(setImmediate);
    ended++;
    return item;
  });
  for await (const result of results) if (result === 2) break;
  const count = begun.length;
  await new Promise(setImmediate);
  expect([begun.length, ended]).toEqual([count, count]);
  expect(count).toBeLessThan(8);
});
