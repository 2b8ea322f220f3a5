import { expect, test } from 'vitest';
import { percent } from '../../../src/report/figures.ts';

test.each([
  [0, '0.0%'],
  [1, '100.0%'],
  [0.9996, '99.96%'],
  [0.0004, '0.04%'],
  [9_999_998 / 9_999_999, '>99.9999%'],
  [1 / 10_000_000, '<0.0001%'],
])('%d reads as all or nothing only where it is: %s', (share, text) => {
  expect(percent(share)).toBe(text);
});
