import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ledger, StoredLedger } from '../../../src/judging/ledger.ts';

type Drawn = readonly [
  leftOut: 'setAside' | 'copies' | undefined,
  truth: number | 'uncounted' | undefined,
  predicted: number | undefined,
];
const drawn = fc.tuple(
  fc.constantFrom(undefined, undefined, undefined, 'setAside' as const, 'copies' as const),
  fc.oneof(fc.nat(3), fc.constantFrom('uncounted' as const, undefined)),
  fc.option(fc.nat(3), { nil: undefined }),
);

function add(ledger: Ledger, [leftOut, truth, predicted]: Drawn): void {
  ledger.begin(leftOut);
  if (predicted === undefined || typeof truth === 'string') ledger.addUnanswered(truth);
  else ledger.addAnswered(truth, truth === predicted);
}
const folded = (records: readonly Drawn[]) => {
  const ledger = new Ledger();
  for (const record of records) add(ledger, record);
  return ledger;
};
const through = (ledger: Ledger) => StoredLedger.parse(JSON.parse(JSON.stringify(ledger.store())));
const same = (id: number) => id;
const funnel = ({ asked, distinct, labeled, answered, right }: Ledger) => [
  asked,
  distinct,
  labeled,
  answered,
  right,
];

test('each count is a part of the one before it', () => {
  const ledger = folded([
    ['setAside', 0, 0],
    ['copies', 0, 0],
    ['copies', 0, undefined],
    [undefined, undefined, 0],
    [undefined, undefined, undefined],
    [undefined, 1, undefined],
    [undefined, 1, 0],
    [undefined, 1, 1],
    [undefined, 2, 2],
  ]);
  expect(funnel(ledger)).toEqual([8, 6, 4, 3, 2]);
  expect(Object.fromEntries(ledger.byClass.missed)).toEqual({ 1: 1 });
});

test('parts merge to the whole in any order, whatever the ids of their classes', () => {
  fc.assert(
    fc.property(fc.array(fc.array(drawn)), fc.boolean(), (parts, isReversed) => {
      // Neighbors are counted within a part.
      const merged = new Ledger();
      for (const part of isReversed ? parts.toReversed() : parts)
        merged.merge(
          through(folded(part.map(([out, truth, is]) => [out, shifted(truth), shifted(is)]))),
          (id) => id - 7,
        );
      const whole = folded(parts.flat());
      const { pairs: _, wrongPairs: __, ...byClass } = merged.store().byClass;
      expect(whole.store()).toMatchObject({ totals: merged.totals, byClass });
      expect(funnel(merged)).toEqual(funnel(whole));
    }),
  );
});
const shifted = <Value>(value: Value) => (typeof value === 'number' ? value + 7 : value) as Value;

describe('neighbors', () => {
  test('are pairs of one class of which both are answered', () => {
    const ledger = folded([
      [undefined, 1, 0],
      [undefined, 1, 0],
      [undefined, 1, 1],
      [undefined, 2, 2],
      [undefined, 2, 0],
      [undefined, 2, 0],
    ]);
    expect(Object.fromEntries(ledger.byClass.pairs)).toEqual({ 1: 2, 2: 2 });
    expect(Object.fromEntries(ledger.byClass.wrongPairs)).toEqual({ 1: 1, 2: 1 });
    const merged = new Ledger();
    merged.merge(through(ledger), same);
    merged.merge(through(ledger), same);
    expect(Object.fromEntries(merged.byClass.pairs)).toEqual({ 1: 4, 2: 4 });
  });
});
