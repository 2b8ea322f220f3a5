import { describe, expect, it } from 'vitest';
import {
  closeEnded,
  emptyLedger,
  PipelineLedger,
  reserveCost,
  takePlace,
} from '../../../src/plan/decide/pipeline-ledger.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const TODAY = '2026-03-01';
const YESTERDAY = '2026-02-28';
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
const runOf = (drop: string | number) => `p/${drop}/000001`;
const ledger = (parts: Partial<PipelineLedger>): PipelineLedger => ({ ...emptyLedger(NOW), ...parts });
const active = (drop: string | number, quoteUsd: number | null = null, day = TODAY) => ({
  run: runOf(drop),
  day,
  quoteUsd,
});

describe('the runs that have ended', () => {
  it('cost what their reports say, or else what they were quoted at, or nothing', () => {
    const before = ledger({ active: [active('a', 1), active('b', 2), active('c'), active('d', 4)] });
    const ended = new Map([
      [runOf('a'), 1.5],
      [runOf('b'), null],
      [runOf('c'), null],
    ]);
    expect(closeEnded(before, ended, NOW)).toEqual({
      ...before,
      spentUsd: 3.5,
      endedRuns: 3,
      costliest: [
        { run: runOf('b'), usd: 2 },
        { run: runOf('a'), usd: 1.5 },
        { run: runOf('c'), usd: 0 },
      ],
      active: [active('d', 4)],
    });
  });

  it('are added to those before, and the ten dearest are named', () => {
    const before = ledger({
      spentUsd: 0.1,
      endedRuns: 9,
      costliest: Array.from({ length: 9 }, (_, at) => ({ run: runOf(`old${at}`), usd: 9 - at })),
      active: [active('a', 0.2), active('b', 5.5)],
    });
    const after = closeEnded(before, new Map([active('a'), active('b')].map(({ run }) => [run, null])), NOW);
    expect([after.spentUsd, after.endedRuns]).toEqual([5.8, 11]);
    expect(after.costliest.map(({ usd }) => usd)).toEqual([9, 8, 7, 6, 5.5, 5, 4, 3, 2, 1]);
  });

  it('count for the day on which they were planned', () => {
    const before = ledger({ spentUsd: 3, endedRuns: 1, active: [active('a', 2, YESTERDAY), active('b', 1)] });
    const ended = new Map([
      [runOf('a'), 2],
      [runOf('b'), 1],
    ]);
    expect(closeEnded(before, ended, NOW)).toMatchObject({ spentUsd: 4, endedRuns: 2, active: [] });
  });

  it('leave the sums to a day that begins, and no day comes back', () => {
    const before = ledger({
      day: YESTERDAY,
      spentUsd: 3,
      endedRuns: 1,
      costliest: [{ run: runOf('x'), usd: 3 }],
      active: [active('a', 2, YESTERDAY)],
    });
    const after = closeEnded(before, new Map(), NOW);
    expect(after).toEqual({ ...before, day: TODAY, spentUsd: 0, endedRuns: 0, costliest: [] });
    expect(closeEnded(after, new Map(), new Date('2026-02-28T23:59:59.999Z'))).toBe(after);
  });
});

describe('a place among the runs under way', () => {
  const ask = (from: PipelineLedger, drop: string | number, now = NOW, limits: object = {}) =>
    takePlace(from, { run: runOf(drop), now, maxConcurrentRuns: 2, maxWaitMinutes: 60, ...limits });
  const waiting = (drop: string | number, since = NOW, askedAt = since) => ({
    run: runOf(drop),
    since: since.toISOString(),
    askedAt: askedAt.toISOString(),
  });

  it('is taken once, and given up to the limit', () => {
    expect(PipelineLedger.parse(ledger({}))).toMatchObject({
      day: TODAY,
      active: [],
      waiting: [],
      costliest: [],
    });
    const one = ask(ledger({}), 'a').ledger;
    expect(one.active).toEqual([active('a')]);
    expect(ask(one, 'a')).toEqual({ ledger: one, turn: { status: 'taken' } });
    const two = ask(one, 'b').ledger;
    expect(two.active).toEqual([active('a'), active('b')]);
    expect(ask(two, 'c')).toEqual({
      ledger: { ...two, waiting: [waiting('c')] },
      turn: { status: 'waiting', waitedSeconds: 0 },
    });
  });

  it('goes to the one that came first, which then waits no more', () => {
    const from = ledger({ active: [active('a')], waiting: [waiting('b', NOW), waiting('c', minutes(1))] });
    expect(ask(from, 'c', minutes(2)).turn).toEqual({ status: 'waiting', waitedSeconds: 60 });
    expect(ask(from, 'd', minutes(2)).turn).toEqual({ status: 'waiting', waitedSeconds: 0 });
    expect(ask(from, 'b', minutes(2))).toEqual({
      ledger: { ...from, active: [active('a'), active('b')], waiting: [waiting('c', minutes(1))] },
      turn: { status: 'taken' },
    });
  });

  it('is not kept for one that has not asked for half an hour', () => {
    const from = ledger({ active: [active('a')], waiting: [waiting('b')] });
    expect(ask(from, 'c', new Date(minutes(30).getTime() - 1)).turn.status).toBe('waiting');
    expect(ask(from, 'c', minutes(30)).turn.status).toBe('taken');
  });

  it('is waited for with a sign of life every ten minutes', () => {
    const from = ledger({ active: [active('a'), active('b')], waiting: [waiting('c'), waiting('d')] });
    const soon = new Date(minutes(10).getTime() - 1);
    expect(ask(from, 'c', soon)).toEqual({
      ledger: from,
      turn: { status: 'waiting', waitedSeconds: 599.999 },
    });
    expect(ask(from, 'c', minutes(10)).ledger.waiting).toEqual([
      waiting('d'),
      waiting('c', NOW, minutes(10)),
    ]);
    expect(ask(from, 'c', minutes(-5)).turn).toEqual({ status: 'waiting', waitedSeconds: 0 });
  });

  it('is refused after the longest wait, and the run waits no more', () => {
    const from = ledger({
      active: [active('a'), active('b')],
      waiting: [waiting('z', minutes(-1), minutes(60)), waiting('c')],
    });
    expect(ask(from, 'c', minutes(60)).turn.status).toBe('waiting');
    expect(ask(from, 'c', new Date(minutes(60).getTime() + 1))).toEqual({
      ledger: { ...from, waiting: [waiting('z', minutes(-1), minutes(60))] },
      turn: {
        status: 'refused',
        message: expect.stringContaining(
          'waited for the 60 minutes that limits.maxRuntimeMinutes allows: under way: 2 (p/a/000001, p/b/000001), ' +
            'waiting before this one: 1. Raise',
        ),
      },
    });
  });

  it('is refused where a thousand wait, but not to one of them', () => {
    const queue = Array.from({ length: 1_000 }, (_, at) => waiting(`w${at}`));
    const from = ledger({ active: Array.from({ length: 12 }, (_, at) => active(at)), waiting: queue });
    expect(ask(from, 'w5', minutes(1)).turn.status).toBe('waiting');
    expect(ask({ ...from, waiting: queue.slice(1) }, 'late').turn.status).toBe('waiting');
    expect(ask({ ...from, waiting: [...queue, waiting('late')] }, 'late').turn.status).toBe('waiting');
    expect(ask({ ...from, active: from.active.slice(2) }, 'late').turn).toMatchObject({
      message: expect.stringMatching(/under way: 10 \(p\/2\/000001, .*, p\/11\/000001\), waiting/),
    });
    expect(ask(from, 'late')).toEqual({
      ledger: from,
      turn: {
        status: 'refused',
        message: expect.stringMatching(
          /^allows 2 runs of a pipeline at once, and 1000 may wait: under way: 12 \(p\/0\/000001, .*, p\/9\/000001 and 2 more\), waiting before this one: 1000\. Raise limits\.maxConcurrentRuns/,
        ),
      },
    });
  });
});

describe('what a run is quoted at', () => {
  const reserve = (from: PipelineLedger, quoteUsd: number | null, maxCostUsdPerDay: number | null = 10) =>
    reserveCost(from, { run: runOf('mine'), quoteUsd, maxCostUsdPerDay });
  const from = ledger({
    spentUsd: 5.5,
    endedRuns: 1,
    costliest: [{ run: runOf('x'), usd: 5.5 }],
    active: [active('a', 2), active('y', 7, YESTERDAY), active('unknown'), active('mine', 9)],
  });

  it('is set aside in place of what was set aside for it before, up to what the day has left', () => {
    expect(reserve(from, 2.5)).toEqual({
      status: 'reserved',
      ledger: { ...from, active: [...from.active.slice(0, 3), active('mine', 2.5)] },
      leftUsd: 2.5,
    });
  });

  it('is refused beyond that, with what the day was spent on', () => {
    expect(reserve(from, 2.5001)).toEqual({
      status: 'refused',
      message:
        'allows $10.00 a day, and this run is quoted at $2.50: on 2026-03-01 (UTC) ended runs: 1, cost $5.50 (p/x/000001 $5.50); ' +
        'under way: 1, quoted at $2.00 (p/a/000001). Run it again tomorrow with inferdrop rerun p/mine/000001, or raise ' +
        'limits.maxCostUsdPerDay in pipeline.json first',
    });
    expect(reserve(ledger({}), 10.01)).toMatchObject({
      message: expect.stringContaining('ended runs: 0, cost $0.00; under way: 0, quoted at $0.00. Run'),
    });
  });

  it('is not bounded where the day is not, and binary fractions cost no cent', () => {
    expect(reserve(from, 1_000, null)).toMatchObject({ status: 'reserved', leftUsd: null });
    expect(reserve(ledger({ spentUsd: 0.9 }), 0.1, 1)).toMatchObject({ status: 'reserved', leftUsd: 0.1 });
  });

  it('counts as nothing where it is not known', () => {
    expect(reserve(from, null)).toMatchObject({ status: 'reserved', leftUsd: 2.5 });
  });
});
