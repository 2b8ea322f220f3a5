import { expect, test } from 'vitest';
import { ago, clock, day, left, moment, time, utc } from '../../../src/text/dates.ts';

const AT = '2026-11-30T14:05:09.120Z';
const NOW = Date.parse('2026-11-30T20:00:00Z');

test.each([AT, new Date(AT)])('a date and its text read the same: %s', (at) => {
  expect([day(at), time(at), time(at, true), utc(at), moment(at)]).toEqual([
    '2026-11-30',
    '14:05:09',
    '14:05:09.120',
    '2026-11-30 14:05:09',
    '2026-11-30 14:05:09 UTC',
  ]);
});

test.each([
  ['2026-11-30T19:59:55Z', 'just now'],
  ['2026-11-30T19:59:30Z', '30 s ago'],
  ['2026-11-30T19:54:01Z', '5 min ago'],
  ['2026-11-29T20:00:01Z', '23 h ago'],
  ['2026-11-29T20:00:00Z', '2026-11-29'],
  ['2026-11-30T20:00:01Z', 'just now'],
])('%s was %s', (at, text) => expect(ago(at, NOW)).toBe(text));

test('a moment of another day has its day', () => {
  expect(clock('2026-11-30T00:00:00Z', NOW)).toBe('00:00 UTC');
  expect(clock('2026-12-01T00:00:00Z', NOW)).toBe('2026-12-01 00:00 UTC');
});

test.each([
  ['2026-11-30T19:00:00Z', '0 min'],
  ['2026-11-30T20:00:59Z', '0 min'],
  ['2026-12-01T03:51:00Z', '7 h 51 min'],
  ['2026-12-03T20:00:00Z', '3 days'],
])('%s: %s are left', (at, text) => expect(left(at, NOW)).toBe(text));
