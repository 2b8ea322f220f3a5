import { expect, test } from 'vitest';
import {
  changedLabels,
  countRelabeled,
  labelBefore,
  mergeLabelChanges,
  namedReviewers,
  noLabelChanges,
  type RelabeledRecord,
} from '../../../src/label/label-changes.ts';
import { cellOf, readingBy } from '../../../src/label/reading.ts';
import { random } from '../../support/random.ts';

function drawn(seed: number): RelabeledRecord[] {
  const next = random(seed);
  const pick = () => (next() < 0.2 ? null : `c${Math.floor(next() * 3)}`);
  return Array.from({ length: Math.floor(next() * 200) }, () => {
    const before = pick();
    const by = `person ${Math.floor(next() * 30)}`;
    const review =
      next() < 0.5 ? undefined : { by, how: next() < 0.5 ? ('blind' as const) : ('shown' as const) };
    return { before, now: next() < 0.6 ? before : pick(), predicted: pick(), review };
  });
}

test('counts equal those by hand, and merge in any order', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const records = drawn(seed);
    const all = noLabelChanges();
    const parts = [noLabelChanges(), noLabelChanges(), noLabelChanges()];
    for (const [at, record] of records.entries()) {
      countRelabeled(all, record, false);
      countRelabeled(parts[at % 3]!, record, false);
    }
    const merged = noLabelChanges();
    for (const part of parts.toReversed()) mergeLabelChanges(merged, part);
    expect(namedReviewers(merged)).toEqual(namedReviewers(all));
    expect(changedLabels(all)).toBe(records.filter(({ before, now }) => before !== now).length);
    const right = (by: 'before' | 'now') =>
      records.filter((record) => record[by] !== null && record[by] === record.predicted).length;
    const { toward, addedRight, away, removedRight } = all;
    expect(right('now') - toward - addedRight + away + removedRight).toBe(right('before'));
    // Without a change that helps, no share of right answers is larger than by the labels before.
    const helping = records.filter((record) => labelBefore(record, false) !== record.now);
    expect(all.seenToward).toBeLessThanOrEqual(helping.length);
    const share = (labels: (string | null)[]) => {
      const labeled = labels.filter((label) => label !== null).length;
      const hits = labels.filter((label, at) => label !== null && label === records[at]!.predicted).length;
      return labeled === 0 ? 0 : hits / labeled;
    };
    if (all.seenToward === 0)
      expect(share(records.map(({ now }) => now))).toBeLessThanOrEqual(
        share(records.map((record) => labelBefore(record, false))) + 1e-12,
      );
  }
});

test('20 reviewers are named, and the changes of the others are counted', () => {
  const changes = noLabelChanges();
  for (let person = 0; person < 25; person++)
    for (let time = 0; time <= person; time++)
      countRelabeled(
        changes,
        { before: 'a', now: 'b', predicted: 'c', review: { by: `p${person}`, how: 'shown' } },
        false,
      );
  const { by } = namedReviewers(changes);
  expect(by).toHaveLength(21);
  expect(by[0]).toEqual(['p24', 25]);
  expect(by[20]).toEqual(['others', 1 + 2 + 3 + 4 + 5]);
});

test.each(['names', 'index', 'index-from-1'] as const)(
  'a class is written so that %s reads it again, also if its name is the number of another one',
  (numbers) => {
    for (const classes of [
      ['2', '0', '1'],
      ['cat', 'dog', '1'],
    ]) {
      const { resolve } = readingBy(classes, numbers);
      for (const [at, name] of classes.entries()) expect(resolve(cellOf(name, classes, numbers))).toBe(at);
    }
  },
);
