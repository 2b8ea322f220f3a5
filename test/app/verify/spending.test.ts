import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { planSpending } from '../../../src/app/verify/verify.ts';

const checks = [
  { name: 'read', usd: null },
  { name: 'free', usd: 0 },
  { name: 'small', usd: 0.03 },
  { name: 'dear', usd: 9 },
  { name: 'late', usd: 0.1 },
];
const runs = (cap: number | undefined) =>
  [...planSpending(checks, cap)].filter(([, { run }]) => run).map(([name]) => name);

it.each([
  [undefined, ['read']],
  [0, ['read', 'free']],
  [0.03, ['read', 'free', 'small']],
  [0.13, ['read', 'free', 'small', 'late']],
  [9.13, ['read', 'free', 'small', 'dear', 'late']],
])('--spend %s runs %j', (cap, names) => {
  expect(runs(cap)).toEqual(names);
});

it('says what a check that is left out would need', () => {
  expect(planSpending(checks, 0.13).get('dear')).toEqual({ run: false, neededUsd: 9.03 });
});

it('never plans more than the cap', () => {
  const usd = fc.integer({ min: 0, max: 1000 }).map((cents) => cents / 100);
  fc.assert(
    fc.property(fc.array(usd, { maxLength: 12 }), usd, (prices, cap) => {
      const priced = prices.map((price, index) => ({ name: String(index), usd: price }));
      const planned = planSpending(priced, cap);
      const cents = priced
        .filter(({ name }) => planned.get(name)?.run)
        .reduce((sum, { usd: price }) => sum + Math.round(price * 100), 0);
      expect(cents).toBeLessThanOrEqual(Math.round(cap * 100));
    }),
  );
});
