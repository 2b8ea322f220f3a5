import { expect, it } from 'vitest';
import { forgottenBefore, isCovered } from '../../../src/drop/covering.ts';

const freezingAt = new Date('2026-01-01T12:00:00.000Z');
const minutesBefore = (minutes: number) => new Date(freezingAt.getTime() - minutes * 60_000);

const now = freezingAt;

it('covers what happened more than 15 minutes before the listing began', () => {
  expect(isCovered(minutesBefore(60), freezingAt, now)).toBe(true);
  expect(isCovered(minutesBefore(15.001), freezingAt, now)).toBe(true);
});

it('doubts the rest, and everything while nothing was listed', () => {
  expect([15, 1, 0, -60].map((minutes) => isCovered(minutesBefore(minutes), freezingAt, now))).toEqual(
    Array(4).fill(false),
  );
  expect(isCovered(minutesBefore(6000), undefined, now)).toBe(false);
});

it('doubts everything where the marker is of the future, as after a clock was put back', () => {
  const covered = (minutes: number) => isCovered(minutesBefore(60), freezingAt, minutesBefore(minutes));
  expect([0, 15, 16, 60].map(covered)).toEqual([true, true, false, false]);
});

it('forgets files a week after S3 had to remove their last versions', () => {
  expect(forgottenBefore(new Date('2026-03-01T00:00:00Z'), { incomingDays: 30, noncurrentDays: 3 })).toEqual(
    new Date('2026-01-20T00:00:00Z'),
  );
});
