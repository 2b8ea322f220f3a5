import { join } from 'node:path';
import * as z from 'zod';
import type { Clock } from '../kernel/clock.ts';
import { type Journal, openJournal } from '../storage/journal.ts';
import { addValue, emptyBucket, mergeBuckets, MetricBucket } from './metric-bucket.ts';

interface MetricName {
  readonly namespace: string;
  readonly name: string;
  /** Order does not matter, every one does. */
  readonly dimensions: Readonly<Record<string, string>>;
}

interface Series {
  readonly metric: MetricName;
  /** Buckets by the start of the minute, in milliseconds. */
  readonly minutes: Map<number, MetricBucket>;
}

const MINUTE_MS = 60_000;
/** How long values by the minute are kept, as in CloudWatch. */
const KEPT_MS = 15 * 24 * 60 * MINUTE_MS;
const WRITE_AFTER_MS = 1_000;

const Line = z.object({
  namespace: z.string(),
  name: z.string(),
  dimensions: z.record(z.string(), z.string()),
  minute: z.number(),
  bucket: MetricBucket,
});
type Line = z.infer<typeof Line>;

/** Values of metrics by the minute, kept in `dir`. What was added in the last second before a crash may be lost. */
export class MetricStore {
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #all = new Map<string, Series>();
  readonly #pending = new Map<MetricBucket, Line>();
  #cancelWrite: (() => void) | undefined;

  constructor({ dir, clock }: { readonly dir: string; readonly clock: Clock }) {
    this.#clock = clock;
    this.#journal = openJournal(join(dir, 'metrics.jsonl'), (line) => {
      const { minute, bucket, ...metric } = Line.parse(line);
      if (minute >= clock.now() - KEPT_MS) this.#seriesOf(metric).minutes.set(minute, bucket);
    });
  }

  add(
    metric: MetricName,
    value: number,
    { timeMs = this.#clock.now(), count = 1 }: { readonly timeMs?: number; readonly count?: number } = {},
  ): void {
    this.#addTo(this.#seriesOf(metric), value, count, timeMs);
  }

  /** Adds one value for each metric named, all of one set of dimensions and of this moment. */
  put(
    namespace: string,
    dimensions: MetricName['dimensions'],
    values: Readonly<Record<string, number>>,
  ): void {
    const scope = toScope(namespace, dimensions);
    const timeMs = this.#clock.now();
    for (const [name, value] of Object.entries(values))
      this.#addTo(this.#seriesOf({ namespace, name, dimensions }, scope + name), value, 1, timeMs);
  }

  /** The values of each period from `startMs` to before `endMs`; periods without values are left out. */
  read(
    metric: MetricName,
    startMs: number,
    endMs: number,
    periodMs: number,
  ): ReadonlyMap<number, MetricBucket> {
    const periods = new Map<number, MetricBucket>();
    for (const [minute, bucket] of this.#all.get(toKey(metric))?.minutes ?? []) {
      if (minute < startMs || minute >= endMs) continue;
      const period = startMs + Math.floor((minute - startMs) / periodMs) * periodMs;
      const before = periods.get(period);
      periods.set(period, before ? mergeBuckets(before, bucket) : bucket);
    }
    return new Map([...periods].sort(([a], [b]) => a - b));
  }

  close(): void {
    this.#cancelWrite?.();
    this.#write();
    this.#journal.close();
  }

  #seriesOf(metric: MetricName, key = toKey(metric)): Series {
    const known = this.#all.get(key);
    if (known) return known;
    const made: Series = { metric, minutes: new Map() };
    this.#all.set(key, made);
    return made;
  }

  #addTo(series: Series, value: number, count: number, timeMs: number): void {
    const minute = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
    let bucket = series.minutes.get(minute);
    if (!bucket) series.minutes.set(minute, (bucket = emptyBucket()));
    addValue(bucket, value, count);
    if (!this.#pending.has(bucket)) this.#pending.set(bucket, { ...series.metric, minute, bucket });
    this.#cancelWrite ??= this.#clock.after(WRITE_AFTER_MS, () => this.#write());
  }

  #write(): void {
    this.#cancelWrite = undefined;
    for (const line of this.#pending.values()) this.#journal.append(line);
    this.#pending.clear();
    const kept = [...this.#all.values()].reduce((sum, { minutes }) => sum + minutes.size, 0);
    if (this.#journal.lines <= 1000 + 4 * kept) return;
    dropOld(this.#all, this.#clock.now() - KEPT_MS);
    this.#journal.compact(linesOf(this.#all.values()));
  }
}

function* linesOf(all: Iterable<Series>): Iterable<Line> {
  for (const { metric, minutes } of all) {
    for (const [minute, bucket] of minutes) yield { ...metric, minute, bucket };
  }
}

function toKey({ namespace, name, dimensions }: MetricName): string {
  return toScope(namespace, dimensions) + name;
}

/** The part of the key that metrics put together share, which is most of it. */
function toScope(namespace: string, dimensions: MetricName['dimensions']): string {
  return JSON.stringify([namespace, Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function dropOld(all: Map<string, Series>, beforeMs: number): void {
  for (const [key, { minutes }] of all) {
    for (const minute of minutes.keys()) if (minute < beforeMs) minutes.delete(minute);
    if (minutes.size === 0) all.delete(key);
  }
}
