import { expect, test } from 'vitest';
import { addTo, exactSum, mergeSum } from '../../../src/metric/exact-sum.ts';

test('what plain addition loses is kept', () => {
  const sum = exactSum();
  for (const value of [1e16, 1, -1e16, 1]) addTo(sum, value);
  expect(sum.high).toBe(2);
});

test('ten million equal addends give the product', () => {
  const part = exactSum();
  for (let time = 0; time < 1_000_000; time++) addTo(part, 0.1);
  const whole = exactSum();
  for (let time = 0; time < 10; time++) mergeSum(whole, part);
  // 0.1 is a little more than a tenth; ten million of them round to this.
  expect(whole.high).toBe(1_000_000);
});
