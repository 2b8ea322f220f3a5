import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { MergedKey } from '../../drop/covered-merge.ts';
import { readDropInput } from '../../drop/drop-input.ts';
import { type Frozen, toAbandoned } from '../../drop/frozen.ts';
import { countHidden } from '../../drop/hidden-files.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { addTotals, cutSlices, NO_TOTALS } from '../../drop/manifest-slice.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { formatGeneration, isRepetition, parseGeneration } from '../../run/generation.ts';
import { type DropParts, evaluationDrop, type RunParts, toRunId } from '../../run/run-id.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { listDrop } from '../drop/list-drop.ts';
import { frozenJson, readJobFile } from '../records/drop.ts';
import { hasManifest, publishManifest, readManifest } from '../records/manifest.ts';
import { markEnded } from '../records/run.ts';
import { existingGenerations } from '../run/repeat-manifest.ts';

/** Lines of a slice, of some 6 MB, so that S3 itself joins several. */
const SLICE_LINES = 50_000;

/** The frozen evaluation set of a training, or why there is none. */
export type FoundEvaluation =
  | { readonly evaluation: TrainingPlan['after']['evaluate'] }
  | { readonly evaluation: null; readonly problem: string };

interface FreezeServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/**
 * Freezes all files of `pipelines/<pipeline>/evaluation/<name>/` as a manifest that judging runs repeat. A generation of the same files is
 * used again, so that no model is judged twice on it.
 */
export async function freezeEvaluation(
  pipeline: string,
  name: string | null,
  services: FreezeServices,
): Promise<FoundEvaluation> {
  if (name === null) return { evaluation: null };
  const { store, clock } = services;
  const drop = { kind: 'inference', pipeline, drop: evaluationDrop(name) } as const;
  const job = await readJobFile(store, drop);
  const input = job !== undefined && 'text' in job ? readDropInput(job.text) : undefined;
  if (input !== undefined)
    return {
      evaluation: null,
      problem:
        `must have its files in the folder, and the job.json there sets ${input.field}: copy the files next to it, and ` +
        'leave that out',
    };
  for (;;) {
    const existing = await existingGenerations(store, drop);
    const numbers = existing
      .filter((one) => !isRepetition(one))
      .map((one) => parseGeneration(one)?.number ?? 0);
    const newest = Math.max(0, ...numbers);
    const last = newest === 0 ? undefined : { ...drop, generation: formatGeneration(newest) };
    const frozenLast = last && (await frozenJson(last).read(store));
    if (last && frozenLast && (await isOfSameFiles(store, last, frozenLast)))
      return { evaluation: await publish(last, frozenLast, name, services) };
    const run = { ...drop, generation: formatGeneration(newest + 1) };
    const frozen = await freeze(run, services);
    if (frozen.objects === 0)
      return {
        evaluation: null,
        problem:
          `must have files, and s3://${store.bucket}/${frozen.sourcePrefix} is empty: inferdrop drop FOLDER --pipeline ` +
          `${pipeline} --evaluation --name ${name} uploads them`,
      };
    // If two plans come at once, one writes it and the other compares with it.
    if (await frozenJson(run).create(store, { ...frozen, frozenAt: clock().toISOString() }))
      return { evaluation: await publish(run, frozen, name, services) };
  }
}

async function freeze(run: RunParts, { store, clock, newId }: FreezeServices): Promise<Frozen> {
  const hidden: { count: number; first: string[] } = { count: 0, first: [] };
  const prefix = bucketLayout.dropFolder(run);
  const { reason: _reason, ...none } = toAbandoned('died', { bucket: store.bucket, prefix }, clock());
  const slices: Frozen['manifestSlices'] = [];
  let totals = NO_TOTALS;
  const files = listDrop(store, run, undefined, (key) => countHidden(hidden, key));
  for await (const slice of cutSlices(asFresh(files), SLICE_LINES)) {
    const object = bucketLayout.freezeSlice(run, newId());
    await store.write(object, slice.manifest, { contentType: 'application/jsonl' });
    slices.push({ object, through: slice.through });
    totals = addTotals(totals, slice.totals);
  }
  return {
    ...none,
    ...totals,
    status: 'frozen',
    manifestSlices: slices,
    ...(hidden.count > 0 && { hidden }),
  };
}

async function* asFresh(files: AsyncIterable<ManifestEntry>): AsyncGenerator<MergedKey> {
  for await (const fresh of files) yield { key: fresh.key, fresh, covered: [] };
}

/** Publishes a generation. It has no execution, since it is only repeated: it is over as soon as it is frozen. */
async function publish(
  run: RunParts,
  frozen: Frozen,
  name: string,
  { store, clock }: FreezeServices,
): Promise<NonNullable<TrainingPlan['after']['evaluate']>> {
  await publishManifest(store, run, frozen);
  await markEnded(store, run, 'frozen', clock());
  return { drop: name, run: toRunId(run), objects: frozen.objects };
}

/** Whether a generation has the files that are there now, by key, ETag and size, and its manifest has not expired. */
async function isOfSameFiles(store: ObjectStore, run: RunParts, frozen: Frozen): Promise<boolean> {
  if (frozen.status !== 'frozen' || !(await hasManifest(store, frozen))) return false;
  await publishManifest(store, run, frozen);
  const drop: DropParts = run;
  const listed = listDrop(store, drop, undefined, () => undefined);
  const before = readManifest(store, bucketLayout.manifest(run));
  for await (const { key, etag, size } of listed) {
    const next = await before.next();
    if (
      next.done === true ||
      next.value.key !== key ||
      next.value.etag !== etag ||
      next.value.size !== size
    ) {
      await before.return?.();
      return false;
    }
  }
  return (await before.next()).done === true;
}
