import { describe, expect, it } from 'vitest';
import { isUploading, predecessorWait, quietWait } from '../../../src/drop/quiet.ts';

const startedAt = new Date('2026-01-01T00:00:00Z');
const at = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000);
const rule = { quietSeconds: 60, maxWaitMinutes: 30 };
const look = (now: number, pulse: number | undefined, isReady = false, isHeld = false) =>
  quietWait(rule, {
    now: at(now),
    startedAt,
    pulseAt: pulse === undefined ? undefined : at(pulse),
    isReady,
    isHeld,
  });

describe('quietWait', () => {
  it('is over once nothing came for quietSeconds', () => {
    expect(look(70, 10)).toBeUndefined();
    expect(look(69, 10)).toBe(1);
  });

  it('is over with _READY, and after maxWaitMinutes', () => {
    expect(look(0, 0, true)).toBeUndefined();
    expect(look(1800, 1799)).toBeUndefined();
  });

  it('lasts as long as a client uploads, however long nothing came, and no longer than maxWaitMinutes', () => {
    expect(look(70, 10, false, true)).toBe(10);
    expect(look(1799, 10, false, true)).toBe(18);
    expect(look(1800, 10, false, true)).toBeUndefined();
  });

  it('counts from the start where no pulse is', () => {
    expect(look(59, undefined)).toBe(1);
    expect(look(60, undefined)).toBeUndefined();
  });

  it('is over where the pulse is of the future: the clock was put back, and its age is not known', () => {
    expect(look(0, 3600)).toBeUndefined();
    expect(look(0, 900)).toBe(3);
  });

  it('looks every three seconds at first, then every ten, so that _READY is noticed', () => {
    expect([0, 3, 9, 10, 20].map((now) => look(now, now))).toEqual([3, 3, 3, 10, 10]);
  });

  it('looks less often the longer it waits, at most every quarter of an hour', () => {
    const patient = { quietSeconds: 86_400, maxWaitMinutes: 10_080 };
    const wait = (now: number) =>
      quietWait(patient, { now: at(now), startedAt, pulseAt: at(now), isReady: false, isHeld: false });
    expect([0, 300, 600, 3000, 27_000, 90_000].map(wait)).toEqual([3, 10, 20, 100, 900, 900]);
  });

  it('takes few enough looks for the history of an execution, however long files come', () => {
    const week = { quietSeconds: 1, maxWaitMinutes: 10_080 };
    let looks = 0;
    for (let now = 0; ; looks++) {
      const wait = quietWait(week, {
        now: at(now),
        startedAt,
        pulseAt: at(now),
        isReady: false,
        isHeld: false,
      });
      if (wait === undefined) break;
      now += wait;
    }
    // About nine events a look, of 25,000; a run needs the rest.
    expect(looks).toBeLessThan(1100);
  });
});

it('files still arrive until nothing came for quietSeconds, or _READY did', () => {
  const uploading = (now: number, isReady = false) =>
    isUploading(rule, { now: at(now), startedAt, pulseAt: at(10), isReady, isHeld: false });
  expect([10, 69, 70, 71].map((now) => uploading(now))).toEqual([true, true, false, false]);
  expect(uploading(10, true)).toBe(false);
});

it('waits for the generation before a second at first and ten minutes at most', () => {
  expect([0, 60, 600, 86_400].map((seconds) => predecessorWait(startedAt, at(seconds)))).toEqual([
    1, 3, 30, 600,
  ]);
});
