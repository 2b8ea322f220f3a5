import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { currentRound } from '../../plan/current-round.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import type { Reconciled } from '../../transform/reconcile-chunk.ts';
import { SHARD_BOUNDS, ShardCutter } from '../../transform/shard-cutter.ts';
import {
  type ComparisonCounts,
  type ComparisonProgress,
  comparisonProgress,
  shardsJson,
} from '../records/comparison.ts';
import { type ReconciledEntry, toReconciledLine } from '../records/reconciled.ts';

const LINES = { contentType: 'application/jsonlines' };

/** Facts that the lines are made from. */
export interface LineSources {
  readonly run: RunParts;
  readonly plan: Plan;
  /** The latest ended attempt. */
  readonly last: JobRecord;
  /** Reason for an input that was sent and has no output; `undone` is why no further job starts, if known. */
  readonly detail: (undone: string | undefined) => string;
}

/** Services of the writer; each slice has a name of its own, so that two invocations at once cannot spoil each other's. */
export interface WriterServices {
  readonly store: ObjectStore;
  /** A name unique to this invocation, of letters, digits and dashes. */
  readonly newId: () => string;
}

/** Result of a comparison. */
export type Comparison = ComparisonCounts & { readonly shards: number };

/** Writes reconciled.jsonl slice by slice, and counts its lines and cuts them into shards meanwhile. */
export class ReconciledWriter {
  readonly #services: WriterServices;
  readonly #sources: LineSources;
  readonly #partOf: (entry: Reconciled['entry']) => number;
  readonly #undone: string | undefined;
  readonly #detail: string;
  readonly #cutter: ShardCutter;
  readonly #firstPart: number;
  readonly #counts: ComparisonCounts;
  readonly #slices: string[];
  #lines: string[] = [];
  #bytes = 0;

  /** @param progress where another invocation has stopped */
  constructor(
    services: WriterServices,
    sources: LineSources,
    partOf: (entry: Reconciled['entry']) => number,
    { undone, cutter, counts, slices }: ComparisonProgress,
  ) {
    this.#services = services;
    this.#sources = sources;
    this.#partOf = partOf;
    this.#firstPart = currentRound(sources.plan).firstPart;
    this.#undone = undone;
    this.#detail = sources.detail(undone);
    const { run, limits } = sources.plan;
    this.#cutter = new ShardCutter(run, { ...SHARD_BOUNDS, inputs: limits.inputsPerShard }, cutter);
    this.#counts = { ...counts };
    this.#slices = [...slices];
  }

  /** Bytes of the lines not yet in a slice. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  add(reconciled: Reconciled): void {
    const line = toReconciledLine(this.#toEntry(reconciled));
    const lineBytes = Buffer.byteLength(line);
    this.#lines.push(line);
    this.#bytes += lineBytes;
    this.#cutter.add(lineBytes, reconciled.output?.bytes ?? 0);
    const { entry, output, isWritten, error, certain, detail } = reconciled;
    const { last } = this.#sources;
    this.#counts.inputs += 1;
    if (output !== undefined) this.#counts.outputs += 1;
    if (isWritten) {
      this.#counts.written += 1;
      if (isWithin(entry, last) && this.#partOf(entry) === last.part) this.#counts.writtenOfLast += 1;
    }
    if (certain === true) this.#counts.refusal ??= detail;
    else if (error === 'model-error' && this.#partOf(entry) >= this.#firstPart) this.#counts.missing += 1;
    if (error === 'superseded' || error === 'deleted') this.#counts.changed += 1;
  }

  /** Stores the pending lines, and how far the comparison is, for the invocation after this one. */
  async keep(manifestBytes: number, place: ComparisonProgress['place']): Promise<void> {
    await this.#storeSlice();
    await this.#keepProgress({ isDone: false, manifestBytes, place });
  }

  /** Writes reconciled.jsonl and shards.json; call it once, after the last line. */
  async finish(manifestBytes: number): Promise<Comparison> {
    const { store } = this.#services;
    const { run } = this.#sources;
    const shards = this.#cutter.finish();
    const isSliced = this.#slices.length > 0;
    if (isSliced) {
      await this.#storeSlice();
      await store.join(this.#slices, bucketLayout.reconciled(run), LINES);
    } else await store.write(bucketLayout.reconciled(run), this.#lines.join(''), LINES);
    await shardsJson(run).write(store, shards);
    // Repeating a short comparison is faster than reading its result.
    if (isSliced) await this.#keepProgress({ isDone: true, manifestBytes, place: { foreign: [] } });
    return { ...this.#counts, shards: shards.length };
  }

  async #storeSlice(): Promise<void> {
    const { store, newId } = this.#services;
    const { run, last } = this.#sources;
    const slice = bucketLayout.comparisonSlice(run, last.attempt, newId());
    await store.write(slice, this.#lines.join(''), LINES);
    this.#slices.push(slice);
    [this.#lines, this.#bytes] = [[], 0];
  }

  #keepProgress(at: Pick<ComparisonProgress, 'isDone' | 'manifestBytes' | 'place'>): Promise<void> {
    const { run, last } = this.#sources;
    return comparisonProgress(run, last.attempt).write(this.#services.store, {
      schema: 1,
      ...at,
      counts: this.#counts,
      cutter: this.#cutter.state,
      slices: this.#slices,
      undone: this.#undone,
    });
  }

  #toEntry({ entry, output, error, detail, certain }: Reconciled): ReconciledEntry {
    if (output !== undefined) return { ...entry, output: output.key };
    const reason = error ?? 'model-error';
    if (reason === 'not-attempted')
      return { ...entry, error: reason, detail: this.#undone ?? 'no job was started for it' };
    // What the model said of the input comes before what became of its jobs.
    const said = reason === 'model-error' && detail !== undefined ? `${detail} (${this.#detail})` : detail;
    return { ...entry, error: reason, detail: said ?? this.#detail, certain };
  }
}

/** Whether the job's range holds the name: cheaper to decide than the part that the input belongs to. */
function isWithin({ name }: { readonly name: string }, { firstKey, lastKey }: JobRecord): boolean {
  return compareByteOrder(name, firstKey) >= 0 && compareByteOrder(name, lastKey) <= 0;
}
