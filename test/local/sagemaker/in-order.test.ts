import { expect, test } from 'vitest';
import { inOrder } from '../../../local/sagemaker/transform/in-order.ts';
import { createSlots } from '../../../local/sagemaker/transform/slots.ts';

async function* numbers(until: number, asked: number[] = []): AsyncGenerator<number> {
  for (let n = 1; n <= until; n++) {
    asked.push(n);
    yield n;
  }
}

test('results keep the order of the items, whoever is done first', async () => {
  const slow = Promise.withResolvers<void>();
  const results = inOrder(numbers(3), createSlots(2), async (item) => {
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
  const results = inOrder(numbers(6, asked), createSlots(2), async (item) => {
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
  const failing = inOrder(numbers(9), createSlots(2), async (item) => {
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
  const failing = inOrder(torn(), createSlots(3), async () => {
    await new Promise(setImmediate);
    ended = true;
  });
  await expect(failing).rejects.toThrow('torn');
  expect(ended).toBe(true);
});
