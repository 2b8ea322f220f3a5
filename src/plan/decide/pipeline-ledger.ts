import * as z from 'zod';
import { roundUsd } from '../../price/round-usd.ts';
import { RunId } from '../../run/run-id.ts';
import { day } from '../../text/dates.ts';
import { dollars } from '../../text/figures.ts';
import { quoted } from '../../text/shell-quoted.ts';

/** Cap on the most expensive runs of a day that a refusal names. */
const MAX_NAMED = 10;
/** A waiting run that has not called for this long is gone: three times the longest wait between two calls. */
const GONE_MS = 30 * 60_000;
/** Interval in which a waiting run renews its entry. */
const RENEWED_MS = 10 * 60_000;
const MAX_WAITING = 1_000;

/**
 * `state/<pipeline>/ledger.json`: the runs of a pipeline that are under way and waiting, the cost of the day's runs, and its
 * number of drops.
 */
export const PipelineLedger = z.object({
  schema: z.literal(1),
  /** The UTC day, `YYYY-MM-DD`, of the sums that follow. */
  day: z.iso.date(),
  /** Cost in US dollars of the runs that were planned that day and have ended. */
  spentUsd: z.number().nonnegative(),
  endedRuns: z.int().nonnegative(),
  /** The most expensive of them, in descending order. */
  costliest: z.array(z.object({ run: RunId, usd: z.number().nonnegative() })),
  /** Generations of drops that were frozen that day, and those that limits.maxDropsPerDay refused. */
  drops: z.int().nonnegative(),
  refusedDrops: z.int().nonnegative(),
  /** Runs that failed that day before their first job; each one wanted a message. */
  failedRuns: z.int().nonnegative(),
  active: z.array(
    z.object({
      run: RunId,
      /** UTC day on which it was planned. */
      day: z.iso.date(),
      /** Null until it has a plan, and if its price is unknown. */
      quoteUsd: z.number().nonnegative().nullable(),
    }),
  ),
  waiting: z.array(z.object({ run: RunId, since: z.iso.datetime(), askedAt: z.iso.datetime() })),
});
export type PipelineLedger = z.infer<typeof PipelineLedger>;

/** A run's request to the ledger. */
interface Asked {
  readonly run: string;
  readonly now: Date;
}

/** Sums of a day on which nothing has happened. */
const NO_SUMS = { spentUsd: 0, endedRuns: 0, costliest: [], drops: 0, refusedDrops: 0, failedRuns: 0 };

/** A ledger that nothing has been written to. */
export function emptyLedger(now: Date): PipelineLedger {
  return { schema: 1, day: day(now), ...NO_SUMS, active: [], waiting: [] };
}

/**
 * Removes the runs that have ended, each with its cost in US dollars (null: unknown, so its quote counts), and begins a new day
 * if the date has changed.
 */
export function closeEnded(
  ledger: PipelineLedger,
  ended: ReadonlyMap<string, number | null>,
  now: Date,
): PipelineLedger {
  // Clocks of two functions differ: the day never goes back.
  const today = day(now) > ledger.day ? day(now) : ledger.day;
  const isNewDay = today !== ledger.day;
  const over = ledger.active.filter(({ run }) => ended.has(run));
  if (!isNewDay && over.length === 0) return ledger;
  const costs = over
    .filter((active) => active.day === today)
    .map(({ run, quoteUsd }) => ({ run, usd: ended.get(run) ?? quoteUsd ?? 0 }));
  const sums = isNewDay ? NO_SUMS : ledger;
  return {
    ...ledger,
    day: today,
    spentUsd: roundUsd(costs.reduce((sum, { usd }) => sum + usd, sums.spentUsd)),
    endedRuns: sums.endedRuns + costs.length,
    drops: sums.drops,
    refusedDrops: sums.refusedDrops,
    failedRuns: sums.failedRuns,
    costliest: [...sums.costliest, ...costs].toSorted((a, b) => b.usd - a.usd).slice(0, MAX_NAMED),
    active: ledger.active.filter(({ run }) => !ended.has(run)),
  };
}

/** Counts a drop that is to be frozen; `refused` beyond the day's bound. The first refusal of a day is the one that is reported. */
export function countDrop(
  ledger: PipelineLedger,
  maxDropsPerDay: number | null,
): { readonly ledger: PipelineLedger; readonly answer: 'counted' | 'refused first' | 'refused' } {
  if (maxDropsPerDay === null || ledger.drops < maxDropsPerDay)
    return { ledger: { ...ledger, drops: ledger.drops + 1 }, answer: 'counted' };
  return {
    ledger: { ...ledger, refusedDrops: ledger.refusedDrops + 1 },
    answer: ledger.refusedDrops === 0 ? 'refused first' : 'refused',
  };
}

/** Counts a run without a job that asks for a message; `answer` is its number on this day. */
export function countFailure(ledger: PipelineLedger): {
  readonly ledger: PipelineLedger;
  readonly answer: number;
} {
  const failedRuns = ledger.failedRuns + 1;
  return { ledger: { ...ledger, failedRuns }, answer: failedRuns };
}

/** Result of a request for a place among the runs under way. */
export type Turn =
  | { readonly status: 'taken' }
  | { readonly status: 'waiting'; readonly waitedSeconds: number }
  | { readonly status: 'refused'; readonly message: string };

/** Gives a run a place among the pipeline's runs under way, or a turn in the queue for one: first come, first served. */
export function takePlace(
  ledger: PipelineLedger,
  {
    run,
    now,
    maxConcurrentRuns,
    maxWaitMinutes,
  }: Asked & { readonly maxConcurrentRuns: number; readonly maxWaitMinutes: number },
): { readonly ledger: PipelineLedger; readonly turn: Turn } {
  if (ledger.active.some((active) => active.run === run)) return { ledger, turn: { status: 'taken' } };
  const mine = ledger.waiting.find((waiting) => waiting.run === run);
  const others = ledger.waiting.filter(
    ({ run: other, askedAt }) => other !== run && now.getTime() - Date.parse(askedAt) < GONE_MS,
  );
  const ahead = others.filter((other) => mine === undefined || turnOf(other) < turnOf(mine)).length;
  const active = ledger.active.map((other) => other.run);
  if (active.length + ahead < maxConcurrentRuns) {
    const place = { run, day: ledger.day, quoteUsd: null };
    return {
      ledger: { ...ledger, active: [...ledger.active, place], waiting: others },
      turn: { status: 'taken' },
    };
  }
  const underWay = `under way: ${active.length} (${named(active)}), waiting before this one: ${ahead}`;
  const remedy =
    'Raise limits.maxConcurrentRuns in pipeline.json, or stop a run with inferdrop cancel, and then run it again with inferdrop rerun';
  if (mine === undefined && others.length >= MAX_WAITING) {
    const message = `allows ${maxConcurrentRuns} runs of a pipeline at once, and ${MAX_WAITING} may wait: ${underWay}. ${remedy}`;
    return { ledger, turn: { status: 'refused', message } };
  }
  const since = mine?.since ?? now.toISOString();
  const waitedMs = now.getTime() - Date.parse(since);
  if (waitedMs > maxWaitMinutes * 60_000) {
    const message =
      `allows ${maxConcurrentRuns} runs of a pipeline at once, and this one has waited for the ${maxWaitMinutes} minutes that ` +
      `limits.maxRuntimeMinutes allows: ${underWay}. ${remedy}`;
    return { ledger: { ...ledger, waiting: others }, turn: { status: 'refused', message } };
  }
  const turn: Turn = { status: 'waiting', waitedSeconds: Math.max(0, waitedMs) / 1000 };
  if (mine !== undefined && now.getTime() - Date.parse(mine.askedAt) < RENEWED_MS) return { ledger, turn };
  const asked = { run, since, askedAt: now.toISOString() };
  return { ledger: { ...ledger, waiting: [...others, asked] }, turn };
}

/** A ledger with the quote reserved, and what is left for the run; or why the run is refused today. */
export type Reserved =
  | {
      readonly status: 'reserved';
      readonly ledger: PipelineLedger;
      /** Cap on the run's cost; null if the day has no bound. */
      readonly leftUsd: number | null;
    }
  | { readonly status: 'refused'; readonly message: string };

/** Reserves a run's quote. A day's sum is the cost of its ended runs and the quotes of those under way. */
export function reserveCost(
  ledger: PipelineLedger,
  {
    run,
    quoteUsd,
    maxCostUsdPerDay,
  }: {
    readonly run: string;
    readonly quoteUsd: number | null;
    readonly maxCostUsdPerDay: number | null;
  },
): Reserved {
  const others = ledger.active.filter((active) => active.run !== run);
  const today = others.filter((active) => active.day === ledger.day && active.quoteUsd !== null);
  const quotedUsd = roundUsd(today.reduce((sum, active) => sum + (active.quoteUsd ?? 0), 0));
  const leftUsd = maxCostUsdPerDay === null ? null : roundUsd(maxCostUsdPerDay - ledger.spentUsd - quotedUsd);
  if (leftUsd !== null && (quoteUsd ?? 0) > leftUsd) {
    const dearest = ledger.costliest.map(({ run: other, usd }) => `${other} ${dollars(usd)}`);
    const spent = `ended runs: ${ledger.endedRuns}, cost ${dollars(ledger.spentUsd)}${inBrackets(dearest)}`;
    const running = `under way: ${today.length}, quoted at ${dollars(quotedUsd)}${inBrackets(today.map((active) => active.run))}`;
    return {
      status: 'refused',
      message:
        `allows ${dollars(maxCostUsdPerDay)} a day, and this run is quoted at ${dollars(quoteUsd)}: on ${ledger.day} ` +
        `(UTC) ${spent}; ${running}. ` +
        `Run it again tomorrow with inferdrop rerun ${quoted(run)}, or raise limits.maxCostUsdPerDay in pipeline.json first`,
    };
  }
  const place = { run, day: ledger.day, quoteUsd };
  return { status: 'reserved', ledger: { ...ledger, active: [...others, place] }, leftUsd };
}

/** Order of the waiting runs; two may have begun in the same millisecond. */
function turnOf({ since, run }: PipelineLedger['waiting'][number]): string {
  return `${since} ${run}`;
}

function inBrackets(items: readonly string[]): string {
  return items.length === 0 ? '' : ` (${named(items)})`;
}

function named(items: readonly string[]): string {
  const more = items.length > MAX_NAMED ? ` and ${items.length - MAX_NAMED} more` : '';
  return `${items.slice(0, MAX_NAMED).join(', ')}${more}`;
}
