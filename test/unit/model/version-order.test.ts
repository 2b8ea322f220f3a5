import { expect, test } from 'vitest';
import { compareVersions, nearestVersion } from '../../../src/model/version-order.ts';

test.each([
  ['2.9.1', '2.10.0'],
  ['1.15.5', '2.0.0'],
  ['2.3.0', '2.3.1'],
  ['2.3', '2.3.1'],
  ['2', '2.1'],
])('%s comes before %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
});

test('a part that is missing is 0', () => {
  expect(compareVersions('2.3', '2.3.0')).toBe(0);
  expect(compareVersions('2.3.0', '2.3')).toBe(0);
});

test.each([
  ['2.17.0', ['2.16.1', '2.18.0'], '2.18.0'],
  ['2.17.0', ['2.18.0', '2.16.0'], '2.16.0'],
  ['2.3.4', ['2.3.3', '2.4.0'], '2.3.3'],
  ['2.3.4', ['2.3.1', '2.3.5'], '2.3.5'],
  ['2.3.4', ['2.1.4', '2.3.9'], '2.3.9'],
  ['2.0.0', ['1.15.5', '2.9.0'], '2.9.0'],
  ['2.0.0', ['1.15.5', '3.0.0'], '1.15.5'],
  ['0.9', ['1.0.0', '2.0.0'], '1.0.0'],
  ['9.9', ['1.0.0', '2.0.0'], '2.0.0'],
  ['1.0', [], undefined],
])('nearest to %s of %j is %s', (wanted, known, nearest) => {
  expect(nearestVersion(wanted, known)).toBe(nearest);
});
