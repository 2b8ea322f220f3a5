import { expect, it } from 'vitest';
import { isCovered } from '../../../src/drop/covering.ts';

const freezingAt = new Date('2026-01-01T12:00:00.000Z');
const minutesBefore = (minutes: number) => new Date(freezingAt.getTime() - minutes * 60_000);

it('covers what happened more than 15 minutes before the listing began', () => {
  expect(isCovered(minutesBefore(60), freezingAt)).toBe(true);
  expect(isCovered(minutesBefore(15.001), freezingAt)).toBe(true);
});

it('doubts the rest, and everything while nothing was listed', () => {
  expect([15, 1, 0, -60].map((minutes) => isCovered(minutesBefore(minutes), freezingAt))).toEqual(
    Array(4).fill(false),
  );
  expect(isCovered(minutesBefore(6000), undefined)).toBe(false);
});
