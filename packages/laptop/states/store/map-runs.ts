import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Journal, openJournal } from '../../storage/journal.ts';
import type { HistoryEvent } from '../engine/history.ts';
import { Ended, StoredEvent } from './execution-file.ts';
import { countBegun, countEnded, Counts, noCounts } from './map-counts.ts';

const MapRun = z.object({
  arn: z.string(),
  executionArn: z.string(),
  /** ARN of the children's machine: `…:stateMachine:<machine>/<label>`. */
  machineArn: z.string(),
  startMs: z.number(),
  stopMs: z.number().optional(),
  status: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED', 'ABORTED']),
  maxConcurrency: z.number(),
  itemCounts: Counts,
  executionCounts: Counts,
});
export type MapRun = z.infer<typeof MapRun>;

const StartedChild = z.object({
  arn: z.string(),
  name: z.string(),
  startMs: z.number(),
  /** Position among the children. */
  index: z.number(),
  /** How many it works on: more than one if the state batches them. */
  items: z.number(),
  input: z.string(),
});
type StartedChild = z.infer<typeof StartedChild>;

/** A child that had begun when the stack ended. */
export interface UnfinishedChild extends StartedChild {
  readonly events: readonly HistoryEvent[];
}

const ChildRecord = z.object({
  arn: z.string(),
  name: z.string(),
  machineArn: z.string(),
  startMs: z.number(),
  /** Position among the children. */
  index: z.number(),
  /** How many it worked on. */
  items: z.number(),
  input: z.string(),
  ended: Ended,
  events: z.array(StoredEvent),
});
/** A child execution that has ended, with its whole history. */
export type ChildRecord = z.infer<typeof ChildRecord>;

const Line = z.union([
  ChildRecord,
  z.object({ started: StartedChild }),
  z.object({ of: z.string(), event: StoredEvent }),
]);

/** A map run that the stack's end interrupted; children by their position. */
export interface InterruptedMapRun {
  readonly run: MapRun;
  /** With their outputs, if any. */
  readonly ended: ReadonlyMap<number, string | undefined>;
  readonly unfinished: ReadonlyMap<number, UnfinishedChild>;
}

/** Map runs on disk, each with one file for all its children. */
export class MapRuns {
  private readonly dir: string;
  private readonly journal: Journal;
  private readonly runs = new Map<string, MapRun>();
  private readonly open = new Map<string, Journal>();
  private isClosing = false;

  constructor(dir: string) {
    this.dir = dir;
    this.journal = openJournal(join(dir, 'map-runs.jsonl'), (raw) => {
      const run = MapRun.parse(raw);
      this.runs.set(run.arn, run);
    });
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

  /** Continues a map run that was interrupted when the stack stopped. Only finished children are counted. */
  reopen(arn: string): InterruptedMapRun {
    const kept = this.runs.get(arn);
    if (!kept) throw new Error(`map-runs.jsonl has lost the map run ${arn}`);
    const run: MapRun = { ...kept, status: 'RUNNING', itemCounts: noCounts(), executionCounts: noCounts() };
    const ended = new Map<number, string | undefined>();
    const unfinished = new Map<string, StartedChild & { readonly events: HistoryEvent[] }>();
    const journal = openJournal(this.pathOf(arn), (raw) => {
      const line = Line.parse(raw);
      if ('started' in line) unfinished.set(line.started.arn, { ...line.started, events: [] });
      else if ('of' in line) unfinished.get(line.of)?.events.push(line.event);
      else {
        unfinished.delete(line.arn);
        ended.set(line.index, line.ended.output);
        countBegun(run, line.items);
        countEnded(run, line.ended.status, line.items);
      }
    });
    this.runs.set(arn, run);
    this.open.set(arn, journal);
    return { run, ended, unfinished: new Map([...unfinished.values()].map((child) => [child.index, child])) };
  }

  async end(run: MapRun): Promise<void> {
    // A stack that closes leaves its map runs open on disk: the next start goes on with them.
    if (this.isClosing) return;
    this.runs.set(run.arn, run);
    const children = this.open.get(run.arn);
    await children?.written();
    children?.close();
    this.open.delete(run.arn);
    this.journal.append(run);
    await this.journal.written();
  }

  childStarted(runArn: string, started: StartedChild): void {
    this.append(runArn, { started });
  }

  childEvent(runArn: string, childArn: string, event: HistoryEvent): void {
    this.append(runArn, { of: childArn, event });
  }

  addChild(runArn: string, child: ChildRecord): void {
    this.append(runArn, child);
  }

  private append(runArn: string, line: z.input<typeof Line>): void {
    if (!this.isClosing) this.open.get(runArn)?.append(line);
  }

  /** Hands over the finished children, in the order in which they finished. */
  children(runArn: string, visit: (child: ChildRecord) => boolean | void): void {
    const read = (raw: unknown): boolean | void => {
      const line = Line.parse(raw);
      return 'ended' in line ? visit(line) : undefined;
    };
    const writing = this.open.get(runArn);
    if (writing) return writing.read(read);
    if (!existsSync(this.pathOf(runArn))) return;
    const journal = openJournal(this.pathOf(runArn), () => undefined);
    journal.read(read);
    journal.close();
  }

  /** From now on nothing is written: what runs is interrupted, and has not ended. */
  freeze(): void {
    this.isClosing = true;
  }

  close(): void {
    for (const children of this.open.values()) children.close();
    this.journal.close();
  }

  private pathOf(runArn: string): string {
    return join(this.dir, 'map-runs', `${runArn.slice(runArn.lastIndexOf(':') + 1)}.jsonl`);
  }

  /** Closes the other map runs of an interrupted execution, and their children's. Their unfinished items count as aborted. */
  endOthers(executionArn: string, joinedArn: string | undefined, stopMs: number): void {
    for (const { arn, status, executionArn: owner } of this.runs.values()) {
      if (status !== 'RUNNING' || owner !== executionArn || arn === joinedArn) continue;
      const { run, unfinished } = this.reopen(arn);
      this.open.get(arn)?.close();
      this.open.delete(arn);
      this.runs.set(arn, { ...run, status: 'ABORTED', stopMs });
      this.journal.append(this.runs.get(arn));
      for (const child of unfinished.values()) this.endOthers(child.arn, undefined, stopMs);
    }
  }
}
