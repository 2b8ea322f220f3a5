import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { openJournal } from '../storage/journal.ts';
import { addValue, emptyBucket, mergeBuckets, MetricBucket } from './metric-bucket.ts';

/** A metric by its whole name. */
interface MetricName {
  readonly namespace: string;
  readonly name: string;
  /** Order does not matter, every one does. */
  readonly dimensions: Readonly<Record<string, string>>;
}

/** Values of metrics by the minute. */
export interface MetricStore {
  add(
    metric: MetricName,
    value: number,
    options?: { readonly timeMs?: number; readonly count?: number },
  ): void;
  /** Adds one value for each metric named, all of one set of dimensions and of this moment. */
  put(
    namespace: string,
    dimensions: MetricName['dimensions'],
    values: Readonly<Record<string, number>>,
  ): void;
  /** The values of each period from `startMs` to before `endMs`; periods without values are left out. */
  read(
    metric: MetricName,
    startMs: number,
    endMs: number,
    periodMs: number,
  ): ReadonlyMap<number, MetricBucket>;
  metrics(): Iterable<MetricName & { readonly lastMs: number }>;
  close(): void;
}

interface Series {
  readonly metric: MetricName;
  /** By the start of the minute, in milliseconds. */
  readonly minutes: Map<number, MetricBucket>;
}

const MINUTE_MS = 60_000;
/** As long as CloudWatch keeps values by the minute. */
const KEPT_MS = 15 * 24 * 60 * MINUTE_MS;
const WRITE_AFTER_MS = 1_000;

const Line = z.object({
  namespace: z.string(),
  name: z.string(),
  dimensions: z.record(z.string(), z.string()),
  minute: z.number(),
  bucket: MetricBucket,
});

/** Opens the metrics kept in `dir`. What was added in the last second before a crash may be lost. */
export function openMetricStore({
  dir,
  clock,
}: {
  readonly dir: string;
  readonly clock: Clock;
}): MetricStore {
  const all = new Map<string, Series>();
  const pending = new Map<MetricBucket, z.infer<typeof Line>>();
  let cancelWrite: (() => void) | undefined;

  const seriesOf = (metric: MetricName, key = toKey(metric)): Series => {
    const known = all.get(key);
    if (known) return known;
    const made: Series = { metric, minutes: new Map() };
    all.set(key, made);
    return made;
  };
  const journal = openJournal(join(dir, 'metrics.jsonl'), (line) => {
    const { minute, bucket, ...metric } = Line.parse(line);
    if (minute >= clock.now() - KEPT_MS) seriesOf(metric).minutes.set(minute, bucket);
  });
  const lines = function* (): Iterable<z.infer<typeof Line>> {
    for (const { metric, minutes } of all.values()) {
      for (const [minute, bucket] of minutes) yield { ...metric, minute, bucket };
    }
  };
  const write = (): void => {
    cancelWrite = undefined;
    for (const line of pending.values()) journal.append(line);
    pending.clear();
    const kept = [...all.values()].reduce((sum, { minutes }) => sum + minutes.size, 0);
    if (journal.lines <= 1000 + 4 * kept) return;
    dropOld(all, clock.now() - KEPT_MS);
    journal.compact(lines());
  };
  const addTo = (series: Series, value: number, count: number, timeMs: number): void => {
    const minute = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    let bucket = series.minutes.get(minute);
    if (!bucket) series.minutes.set(minute, (bucket = emptyBucket()));
    addValue(bucket, value, count);
    if (!pending.has(bucket)) pending.set(bucket, { ...series.metric, minute, bucket });
    cancelWrite ??= clock.after(WRITE_AFTER_MS, write);
  };
  return {
    add: (metric, value, { timeMs = clock.now(), count = 1 } = {}) =>
      addTo(seriesOf(metric), value, count, timeMs),
    put(namespace, dimensions, values) {
      const scope = toScope(namespace, dimensions);
      const timeMs = clock.now();
      for (const [name, value] of Object.entries(values))
        addTo(seriesOf({ namespace, name, dimensions }, scope + name), value, 1, timeMs);
    },
    read(metric, startMs, endMs, periodMs) {
      const periods = new Map<number, MetricBucket>();
      for (const [minute, bucket] of all.get(toKey(metric))?.minutes ?? []) {
        if (minute < startMs || minute >= endMs) continue;
        const period = startMs + Math.floor((minute - startMs) / periodMs) * periodMs;
        const before = periods.get(period);
        periods.set(period, before ? mergeBuckets(before, bucket) : bucket);
      }
      return new Map([...periods].sort(([a], [b]) => a - b));
    },
    *metrics() {
      for (const { metric, minutes } of all.values()) {
        let lastMs = 0;
        for (const minute of minutes.keys()) lastMs = Math.max(lastMs, minute);
        yield { ...metric, lastMs };
      }
    },
    close() {
      cancelWrite?.();
      write();
      journal.close();
    },
  };
}

function toKey({ namespace, name, dimensions }: MetricName): string {
  return toScope(namespace, dimensions) + name;
}

/** What the metrics that are put together share, which is most of their key. */
function toScope(namespace: string, dimensions: MetricName['dimensions']): string {
  return JSON.stringify([namespace, Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function dropOld(all: Map<string, Series>, beforeMs: number): void {
  for (const [key, { minutes }] of all) {
    for (const minute of minutes.keys()) if (minute < beforeMs) minutes.delete(minute);
    if (minutes.size === 0) all.delete(key);
  }
}
