import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { mergeCovered } from '../../drop/covered-merge.ts';
import { forgottenBefore, type Retention } from '../../drop/covering.ts';
import { dropPrefix } from '../../drop/drop-key.ts';
import type { DropProblem, Frozen } from '../../drop/frozen.ts';
import { countHidden } from '../../drop/hidden-files.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { addTotals, cutSlices, type ManifestSlice, NO_TOTALS } from '../../drop/manifest-slice.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { type ListingProgress, listingProgress, readCovered, writeCovered } from '../records/drop.ts';
import { listDrop } from './list-drop.ts';
import { isStatedBy, listStatedInput, readStatedInput } from './stated-input.ts';

const DEFAULT_BUDGET_MS = 240_000;
/** 50,000 new files and what covers them: 6 MB or more, so that S3 itself joins slices (parts have at least 5 MiB). */
const DEFAULT_SLICE_LINES = 100_000;

/**
 * Services and settings of the listing. The stack sets `readBuckets` and `retention`; tests also set the budget and the
 * length of slices.
 */
export interface ListManifestServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  /** A name unique to this invocation, of letters, digits and dashes. */
  readonly newId: () => string;
  readonly settings: {
    /** Buckets besides our own that `job.json` may take inputs from. */
    readonly readBuckets: readonly string[];
    /** Time after which the rest of a listing is left to the next invocation; default 4 minutes. */
    readonly listingBudgetMs?: number;
    /** Approximate lines in a slice of the manifest; default 100,000. */
    readonly sliceLines?: number;
    /** Without it deleted files stay covered indefinitely. */
    readonly retention?: Retention;
  };
}

interface Source {
  readonly bucket: string;
  readonly prefix: string;
  readonly entries: AsyncIterable<ManifestEntry>;
  readonly problems: () => DropProblem[];
}

/**
 * Lists the run's files without those that earlier runs had, and writes them slice by slice into the bucket.
 *
 * Memory holds one slice. When the time is up it returns `unfinished`, and the next call continues after the last slice.
 */
export async function listManifest(
  run: RunParts,
  before: Frozen | undefined,
  services: ListManifestServices,
): Promise<Frozen | 'unfinished'> {
  const { store, clock, settings } = services;
  const deadline = clock().getTime() + (settings.listingBudgetMs ?? DEFAULT_BUDGET_MS);
  const progress = (await listingProgress(run).read(store)) ?? (await beginProgress(run, before, services));
  const { before: coveredBefore, stated } = progress;
  const own = { bucket: store.bucket, prefix: dropPrefix(run) };
  const frozen = (source: { bucket: string; prefix: string }, facts: Partial<Frozen>): Frozen => ({
    schema: 1,
    status: 'frozen',
    ...NO_TOTALS,
    sourceBucket: source.bucket,
    sourcePrefix: source.prefix,
    frozenAt: clock().toISOString(),
    manifestSlices: [],
    coveredSlices: [...coveredBefore],
    origin: { mode: 'drop' },
    ...(before?.statedBy && { statedBy: before.statedBy }),
    ...facts,
  });

  // The same job.json again, for example after a duplicate event: its inputs have had their run.
  if (stated !== undefined && isStatedBy(stated, before?.statedBy)) return frozen(own, {});
  const source = await openSource(run, progress, services);
  const statedBy = stated && { statedBy: stated.statedBy };
  if ('message' in source) return frozen(own, { ...statedBy, problems: [source] });

  const covered = stated === undefined ? readCovered(store, coveredBefore, progress.after) : nothing();
  const forgetBefore = settings.retention && forgottenBefore(clock(), settings.retention).toISOString();
  // A stated input is taken whole: only the job.json that states it can be new.
  const merged = mergeCovered(source.entries, covered, forgetBefore);
  const slices = cutSlices(merged, settings.sliceLines ?? DEFAULT_SLICE_LINES);
  for await (const slice of slices) {
    await storeSlice(run, slice, progress, services);
    if (clock().getTime() >= deadline && source.problems().length === 0) return 'unfinished';
  }
  const problems = source.problems();
  if (problems.length > 0) return frozen(source, { ...statedBy, problems });
  return frozen(source, {
    ...statedBy,
    ...progress.totals,
    ...(progress.hidden.count > 0 && {
      hidden: { count: progress.hidden.count, first: progress.hidden.first },
    }),
    manifestSlices: progress.manifestSlices,
    ...(stated === undefined && { coveredSlices: progress.coveredSlices }),
  });
}

/** Opens the source of the listing: the drop, or the input that its job.json names instead. */
function openSource(
  run: RunParts,
  { stated, after, hidden }: ListingProgress,
  { store, settings }: ListManifestServices,
): Source | Promise<Source | DropProblem> {
  const onHidden = (key: string): void => countHidden(hidden, key);
  const own = { bucket: store.bucket, prefix: dropPrefix(run) };
  if (stated === undefined)
    return { ...own, entries: listDrop(store, run, after, onHidden), problems: () => [] };
  const places = { drop: run, readBuckets: settings.readBuckets };
  return listStatedInput(store, stated, places, after, onHidden);
}

async function storeSlice(
  run: RunParts,
  slice: ManifestSlice,
  progress: ListingProgress,
  { store, newId }: ListManifestServices,
): Promise<void> {
  const name = newId();
  const { through } = slice;
  if (slice.manifest !== '') {
    const object = bucketLayout.freezeSlice(run, name);
    await store.write(object, slice.manifest, { contentType: 'application/jsonl' });
    progress.manifestSlices.push({ object, through });
  }
  if (progress.stated === undefined && slice.covered !== '') {
    const object = bucketLayout.coveredSlice(run, name);
    await writeCovered(store, object, slice.covered);
    progress.coveredSlices.push({ object, through });
  }
  progress.totals = addTotals(progress.totals, slice.totals);
  progress.after = through;
  await listingProgress(run).write(store, progress);
}

async function beginProgress(
  run: RunParts,
  before: Frozen | undefined,
  { store }: ListManifestServices,
): Promise<ListingProgress> {
  const stated = await readStatedInput(store, run);
  return {
    schema: 1,
    ...(stated && { stated }),
    before: before?.coveredSlices ?? [],
    totals: NO_TOTALS,
    manifestSlices: [],
    coveredSlices: [],
    hidden: { count: 0, first: [] },
  };
}

async function* nothing(): AsyncGenerator<never> {
  // No entry of the drop covers an input that lies elsewhere.
}
