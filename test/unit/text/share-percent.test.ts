import { expect, test } from 'vitest';
import { sharePercent } from '../../../src/text/share-percent.ts';

test.each([
  [0.7, 0.7, '70%'],
  [0.6996, 0.7, '69.96%'],
  [0.899996, 0.9, '89.9996%'],
  [1 / 30_000, 0, '0.003%'],
  [1 - 1e-7, 1, '99.99999%'],
])('%d is not shown as the bound %d that it misses', (share, bound, text) => {
  expect(sharePercent(share, bound)).toBe(text);
});
