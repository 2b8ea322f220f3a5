import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeLifetime, type Lifetime } from '../../../src/endpoint/lifetime.ts';

const HOUR = 3_600_000;
const life = (change: Partial<Lifetime> = {}): Lifetime => ({
  now: 0,
  deployedAt: 0,
  expiresAt: 8 * HOUR,
  idleHours: null,
  lastInvokedAt: undefined,
  warnedAt: null,
  warnedOf: change.idleHours === undefined ? 'expired' : 'idle',
  ...change,
});

test('a young endpoint is kept', () => {
  expect(judgeLifetime(life({ now: 6.9 * HOUR }))).toEqual({ verdict: 'keep' });
});

test('an hour before its end people are warned', () => {
  expect(judgeLifetime(life({ now: 7 * HOUR }))).toEqual({
    verdict: 'warn',
    reason: 'expired',
    dueAt: 8 * HOUR,
  });
});

test('once warned of it is deleted at its end, not before', () => {
  expect(judgeLifetime(life({ now: 8 * HOUR - 1, warnedAt: 7 * HOUR }))).toEqual({ verdict: 'keep' });
  expect(judgeLifetime(life({ now: 8 * HOUR, warnedAt: 7 * HOUR }))).toEqual({
    verdict: 'delete',
    reason: 'expired',
  });
});

test('where the warning comes late, its end comes ten minutes after', () => {
  expect(judgeLifetime(life({ now: 20 * HOUR }))).toEqual({
    verdict: 'warn',
    reason: 'expired',
    dueAt: 20 * HOUR + 600_000,
  });
  expect(judgeLifetime(life({ now: 20 * HOUR + 599_999, warnedAt: 20 * HOUR }))).toEqual({ verdict: 'keep' });
});

test('a life of twenty minutes is warned of five minutes before its end, and has five minutes of grace', () => {
  const MINUTE = 60_000;
  const short = life({ expiresAt: 20 * MINUTE });
  expect(judgeLifetime({ ...short, now: 15 * MINUTE - 1 })).toEqual({ verdict: 'keep' });
  expect(judgeLifetime({ ...short, now: 15 * MINUTE })).toMatchObject({
    verdict: 'warn',
    dueAt: 20 * MINUTE,
  });
  expect(judgeLifetime({ ...short, now: 30 * MINUTE })).toMatchObject({
    verdict: 'warn',
    dueAt: 35 * MINUTE,
  });
  expect(judgeLifetime({ ...short, now: 34 * MINUTE, warnedAt: 30 * MINUTE })).toEqual({ verdict: 'keep' });
  expect(judgeLifetime({ ...short, now: 35 * MINUTE, warnedAt: 30 * MINUTE })).toMatchObject({
    verdict: 'delete',
  });
});

test('an idle endpoint ends by its last invocation', () => {
  const idle = life({ idleHours: 2, lastInvokedAt: HOUR });
  expect(judgeLifetime({ ...idle, now: 2.4 * HOUR })).toEqual({ verdict: 'keep' });
  expect(judgeLifetime({ ...idle, now: 2.5 * HOUR })).toMatchObject({
    verdict: 'warn',
    reason: 'idle',
    dueAt: 3 * HOUR,
  });
  expect(judgeLifetime({ ...idle, now: 3 * HOUR, warnedAt: 2.5 * HOUR })).toEqual({
    verdict: 'delete',
    reason: 'idle',
  });
});

test('an invocation after the warning saves it, and the next warning is a new one', () => {
  const saved = life({ idleHours: 2, lastInvokedAt: 2.9 * HOUR, warnedAt: 2.5 * HOUR });
  expect(judgeLifetime({ ...saved, now: 3.1 * HOUR })).toEqual({ verdict: 'keep' });
  expect(judgeLifetime({ ...saved, now: 4.9 * HOUR })).toMatchObject({ verdict: 'warn', reason: 'idle' });
});

test('a warning of idleness is not a warning of the end: an endpoint that was invoked since has both', () => {
  const invoked = {
    idleHours: 2,
    lastInvokedAt: 7.5 * HOUR,
    warnedAt: 7.2 * HOUR,
    warnedOf: 'idle',
  } as const;
  const late = life({ ...invoked, now: 8 * HOUR });
  expect(judgeLifetime(late)).toEqual({ verdict: 'warn', reason: 'expired', dueAt: 8 * HOUR + 600_000 });
  expect(judgeLifetime({ ...late, warnedOf: 'expired' })).toEqual({ verdict: 'delete', reason: 'expired' });
});

test('ttlHours null keeps it, however idle', () => {
  fc.assert(
    fc.property(fc.nat(), fc.option(fc.nat()), (now, warnedAt) => {
      const kept = life({ now, expiresAt: null, idleHours: 1, warnedAt });
      expect(judgeLifetime(kept)).toEqual({ verdict: 'keep' });
    }),
  );
});

test('nothing is ever deleted without a warning since its deployment', () => {
  const time = fc.integer({ min: 0, max: 100 * HOUR });
  fc.assert(
    fc.property(
      time,
      time,
      time,
      fc.option(time),
      fc.option(time),
      (now, deployedAt, ttl, warnedAt, invokedAt) => {
        const { verdict } = judgeLifetime({
          now,
          deployedAt,
          expiresAt: deployedAt + ttl,
          idleHours: 3,
          lastInvokedAt: invokedAt ?? undefined,
          warnedAt,
          warnedOf: null,
        });
        if (verdict === 'delete') expect(warnedAt ?? -1).toBeGreaterThanOrEqual(deployedAt);
      },
    ),
  );
});
