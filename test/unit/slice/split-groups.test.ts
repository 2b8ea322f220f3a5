import { expect, test } from 'vitest';
import { splitGroups } from '../../../src/slice/split-groups.ts';

/** Files of groups of these sizes. */
const files = (...sizes: number[]) =>
  sizes.flatMap((size, group) =>
    Array.from({ length: size }, (_, at) => ({ name: `g${group}/${at}.png`, group: `g${group}` })),
  );

test('no group has files in both parts, and the evaluation comes near its share', () => {
  const all = files(...Array.from({ length: 60 }, (_, at) => 1 + ((at * 7) % 11)));
  const parts = splitGroups(all, 0.2);
  if ('reached' in parts) throw new Error('it cannot be split');
  const { train, evaluation } = parts;
  expect(train.length + evaluation.length).toBe(all.length);
  const trained = new Set(train.map(({ group }) => group));
  expect(evaluation.filter(({ group }) => trained.has(group))).toEqual([]);
  expect(evaluation.length / all.length).toBeGreaterThan(0.18);
  expect(evaluation.length / all.length).toBeLessThanOrEqual(0.2);
});

test('the order of the files changes nothing', () => {
  const all = files(3, 4, 5, 6, 7, 8, 9, 10, 2, 1);
  const names = (found: ReturnType<typeof splitGroups>) =>
    'reached' in found ? [] : found.evaluation.map(({ name }) => name).sort();
  expect(names(splitGroups(all, 0.3)).length).toBeGreaterThan(0);
  expect(names(splitGroups(all.toReversed(), 0.3))).toEqual(names(splitGroups(all, 0.3)));
});

test.each([
  ['one group has everything', files(100), 'g0', 100],
  ['two groups are larger than the share', files(50, 49), 'g0', 50],
  ['the share is less than a file', files(1, 1), 'g1', 1],
])('refused: %s', (_, all, largest, size) => {
  expect(splitGroups(all, 0.2)).toMatchObject({ reached: 0, largest, files: size });
});

test('a large group goes to the training', () => {
  const parts = splitGroups(files(80, ...Array.from({ length: 20 }, () => 1)), 0.2);
  expect(parts).toMatchObject({ evaluation: { length: 20 }, train: { length: 80 } });
});
