import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dueHeap } from '../../sqs/due-heap.ts';

test('gives things in the order of their time, equal times in the order they came', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: 1, max: 4 }),
      (times, keepEvery) => {
        const heap = dueHeap<number>();
        times.forEach((dueMs, index) => heap.push(dueMs, index));
        heap.prune((index) => index % keepEvery === 0);
        const expected = times
          .map((dueMs, index) => ({ dueMs, index }))
          .filter(({ index }) => index % keepEvery === 0)
          .sort((a, b) => a.dueMs - b.dueMs || a.index - b.index);
        expect(heap.size).toBe(expected.length);
        expect(heap.nextDueMs()).toBe(expected[0]?.dueMs);
        expect(expected.map(() => heap.pop())).toEqual(expected.map(({ index }) => index));
        expect(heap.pop()).toBeUndefined();
      },
    ),
  );
});
