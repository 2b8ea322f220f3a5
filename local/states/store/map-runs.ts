import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Journal } from '../../storage/journal.ts';
import { openJournal } from '../../storage/journal.ts';
import { Ended, StoredEvent } from './execution-file.ts';

const Counts = z.object({
  pending: z.number(),
  running: z.number(),
  succeeded: z.number(),
  failed: z.number(),
  timedOut: z.number(),
  aborted: z.number(),
  total: z.number(),
  resultsWritten: z.number(),
});
export type Counts = z.infer<typeof Counts>;

const MapRun = z.object({
  arn: z.string(),
  executionArn: z.string(),
  /** Of the children: `…:stateMachine:<machine>/<label>`. */
  machineArn: z.string(),
  startMs: z.number(),
  stopMs: z.number().optional(),
  status: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'ABORTED']),
  maxConcurrency: z.number(),
  toleratedFailureCount: z.number(),
  toleratedFailurePercentage: z.number(),
  itemCounts: Counts,
  executionCounts: Counts,
});
export type MapRun = z.infer<typeof MapRun>;

const ChildRecord = z.object({
  arn: z.string(),
  name: z.string(),
  machineArn: z.string(),
  startMs: z.number(),
  /** Items of its batch; 1 without a batcher. */
  itemCount: z.number(),
  input: z.string(),
  ended: Ended,
  events: z.array(StoredEvent),
});
/** A child execution that has ended, with its whole history. */
export type ChildRecord = z.infer<typeof ChildRecord>;

/** A map run before its first item. */
export function noCounts(): Counts {
  return {
    pending: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    timedOut: 0,
    aborted: 0,
    total: 0,
    resultsWritten: 0,
  };
}

/** Map runs on disk, each with one file for all its children. */
export class MapRuns {
  private readonly dir: string;
  private readonly journal: Journal;
  private readonly runs = new Map<string, MapRun>();
  private readonly open = new Map<string, Journal>();

  constructor(dir: string, nowMs: () => number) {
    this.dir = dir;
    this.journal = openJournal(join(dir, 'map-runs.jsonl'), (raw) => {
      const run = MapRun.parse(raw);
      this.runs.set(run.arn, run);
    });
    for (const run of this.runs.values()) if (run.status === 'RUNNING') this.endOrphan(run, nowMs());
  }

  get(arn: string): MapRun | undefined {
    return this.runs.get(arn);
  }

  all(): IterableIterator<MapRun> {
    return this.runs.values();
  }

  begin(run: MapRun): void {
    this.runs.set(run.arn, run);
    this.journal.append(run);
    this.open.set(
      run.arn,
      openJournal(this.pathOf(run.arn), () => undefined),
    );
  }

  async end(run: MapRun): Promise<void> {
    this.runs.set(run.arn, run);
    const children = this.open.get(run.arn);
    await children?.written();
    children?.close();
    this.open.delete(run.arn);
    this.journal.append(run);
    await this.journal.written();
  }

  addChild(runArn: string, child: ChildRecord): void {
    this.open.get(runArn)?.append(child);
  }

  /** Hands over the children that have ended, in the order of their ends. */
  children(runArn: string, visit: (child: ChildRecord) => boolean | void): void {
    const read = (raw: unknown): boolean | void => visit(ChildRecord.parse(raw));
    const writing = this.open.get(runArn);
    if (writing) return writing.read(read);
    if (!existsSync(this.pathOf(runArn))) return;
    const journal = openJournal(this.pathOf(runArn), () => undefined);
    journal.read(read);
    journal.close();
  }

  close(): void {
    for (const children of this.open.values()) children.close();
    this.journal.close();
  }

  private pathOf(runArn: string): string {
    return join(this.dir, 'map-runs', `${runArn.slice(runArn.lastIndexOf(':') + 1)}.jsonl`);
  }

  /** The process stopped: what has not ended was aborted. */
  private endOrphan(run: MapRun, stopMs: number): void {
    const executionCounts = noCounts();
    const itemCounts = noCounts();
    this.children(run.arn, ({ ended, itemCount }) => {
      const field = countOf(ended.status);
      executionCounts[field]++;
      itemCounts[field] += itemCount;
      executionCounts.total++;
    });
    itemCounts.total = run.itemCounts.total;
    this.runs.set(run.arn, { ...run, status: 'ABORTED', stopMs, executionCounts, itemCounts });
    this.journal.append(this.runs.get(run.arn));
  }
}

/** Under which name an ending is counted. */
export function countOf(status: Ended['status']): 'succeeded' | 'failed' | 'timedOut' | 'aborted' {
  return ({ SUCCEEDED: 'succeeded', FAILED: 'failed', TIMED_OUT: 'timedOut', ABORTED: 'aborted' } as const)[
    status
  ];
}
