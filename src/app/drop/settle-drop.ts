import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { readWaitSettings } from '../../drop/drop-input.ts';
import { dropFileKeys, dropPrefix, MARKS } from '../../drop/drop-key.ts';
import { type DropProblem, type Frozen, toAbandoned } from '../../drop/frozen.ts';
import { isUploading, predecessorWait, quietWait } from '../../drop/quiet.ts';
import { PlanRefused } from '../../plan/refused.ts';
import { isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { FIRST_GENERATION, generationBefore, isRepetition } from '../../run/generation.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { RUN_KINDS } from '../../run/run-kind.ts';
import { freezeOnce, freezingMark, frozenJson, readJobFile } from '../records/drop.ts';
import { publishManifest } from '../records/manifest.ts';
import { markEnded, problemsJson } from '../records/run.ts';
import { useCase } from '../use-case.ts';
import { removeSuperseded } from './covered-slices.ts';
import { reserveDropOfDay } from './drop-of-day.ts';
import { withLateLabels } from './late-labels.ts';
import { listManifest, type ListManifestServices } from './list-manifest.ts';

/**
 * State of the drop's files:
 *
 * - `waiting`: some may still arrive, or the previous generation hasn't ended
 * - `listing`: this call ran out of time; the next continues at once
 * - `frozen`: the manifest is written: of new files, or of an earlier run, to judge its predictions by labels that came later
 * - `empty`: there is no new file; `announce` if a report says so, as for the first generation of a drop and for reruns
 * - `abandoned`: the generation was ended from outside before it froze, or the pipeline has reached its daily limit of drops; the next
 *   generation takes its files
 */
const Output = z.discriminatedUnion('status', [
  z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
  z.object({ status: z.literal('listing'), waitSeconds: z.literal(0) }),
  z.object({ status: z.literal('frozen'), objects: z.int().positive(), bytes: z.int().nonnegative() }),
  z.object({ status: z.literal('empty'), announce: z.boolean() }),
  z.object({ status: z.literal('abandoned') }),
]);
type Output = z.infer<typeof Output>;

/** Other drops of the pipeline also change the ledger. */
const BUSY_SECONDS = 2;

/** The latest earlier generation that took files in. */
interface Predecessor {
  readonly run: RunParts;
  readonly frozen: Frozen;
}

/**
 * State `SettleDrop`: waits until the drop is quiet, then freezes its files into the run's manifest.
 *
 * The marker `freezing` is created before the listing begins. So if an upload's event saw no marker, the upload precedes the
 * listing, and S3 lists are strongly consistent; if its event saw the marker, it opens the next generation.
 *
 * @throws {PlanRefused} if `job.json` names inputs that cannot be taken, or if this drop is the first one beyond the daily limit
 */
export const settleDrop = useCase({
  /** Sent by state `SettleDrop` of `batch-inference` and of `training`, with ARN and start of the execution, from which waits count. */
  input: z.object({
    run: RunParts,
    executionArn: z.string(),
    startedAt: z.iso.datetime({ offset: true }),
  }),
  output: Output,
})(async ({ run, executionArn, startedAt }, services: ListManifestServices) => {
  const { store, clock } = services;
  const settled = await frozenJson(run).read(store);
  if (settled !== undefined) return conclude(run, settled, services);

  const before = await findPredecessor(store, run);
  if (before === 'unfinished') return waiting(predecessorWait(new Date(startedAt), clock()));
  if ((await store.describe(bucketLayout.freezing(run))) === undefined) {
    const { waitSeconds, isCut } = await uploadWait(run, new Date(startedAt), before, services);
    if (waitSeconds !== undefined) return waiting(waitSeconds);
    // Later files of a drop count when they are found: an event that is delivered twice opens a generation without any.
    if (!isRepetition(run.generation) && before === undefined) {
      const unplaced = await takePlaceOfDay(run, services);
      if (unplaced !== undefined) return unplaced;
    }
    const at = clock().toISOString();
    await freezingMark(run).create(store, { schema: 1, run: toRunId(run), executionArn, at, isCut });
  }
  const listed = await listUnlessFrozen(run, before, services);
  if (listed === 'unfinished') return { status: 'listing', waitSeconds: 0 };
  const hasNew = listed.objects > 0 || listed.problems !== undefined;
  if (!isRepetition(run.generation) && before !== undefined && hasNew) {
    const unplaced = await takePlaceOfDay(run, services);
    if (unplaced !== undefined) return unplaced;
  }
  const awaitsNone = hasNew || isRepetition(run.generation) || !RUN_KINDS[run.kind].isJudged;
  const late = awaitsNone ? listed : await withLateLabels(store, run, listed, before);
  if (late === 'busy') return waiting(BUSY_SECONDS);
  return conclude(run, await freezeOnce(store, run, late), services);
});

/** Counts the generation among the day's drops; what the step answers where it has no place among them, or none yet. */
async function takePlaceOfDay(run: RunParts, services: ListManifestServices): Promise<Output | undefined> {
  const place = await reserveDropOfDay(run, services);
  if (place === 'taken') return undefined;
  if (place === 'busy') return waiting(BUSY_SECONDS);
  return conclude(run, await refuse(run, place, services), services);
}

/** Takes nothing in, so that the drop's next generation has its files; the first refusal of a day has a report and a message. */
async function refuse(
  run: RunParts,
  problems: readonly DropProblem[],
  { store, clock }: ListManifestServices,
): Promise<Frozen> {
  if (problems.length > 0) await problemsJson(run).write(store, { schema: 1, problems });
  const source = { bucket: store.bucket, prefix: dropPrefix(run) };
  return freezeOnce(store, run, toAbandoned('refused', source, clock()));
}

/** Another invocation of this state may freeze meanwhile, and remove the slices that it has replaced. */
async function listUnlessFrozen(
  run: RunParts,
  before: Predecessor | undefined,
  services: ListManifestServices,
): Promise<Frozen | 'unfinished'> {
  try {
    return await listManifest(run, before?.frozen, services);
  } catch (error) {
    const frozen = isCondition(error, 'SliceMissing')
      ? await frozenJson(run).read(services.store)
      : undefined;
    if (frozen === undefined) throw error;
    return frozen;
  }
}

function waiting(waitSeconds: number): Output {
  return { status: 'waiting', waitSeconds };
}

async function conclude(
  run: RunParts,
  frozen: Frozen,
  { store, clock }: ListManifestServices,
): Promise<Output> {
  if (frozen.status === 'abandoned') {
    const refusal = frozen.reason === 'refused' ? await problemsJson(run).read(store) : undefined;
    if (refusal !== undefined) throw new PlanRefused(run, refusal.problems);
    return { status: 'abandoned' };
  }
  await publishManifest(store, run, frozen);
  if (!isRepetition(run.generation)) {
    const before = await findPredecessor(store, run);
    await removeSuperseded(store, run, frozen, before === 'unfinished' ? undefined : before);
  }
  if (frozen.problems !== undefined) {
    await problemsJson(run).write(store, { schema: 1, problems: frozen.problems });
    throw new PlanRefused(run, frozen.problems);
  }
  if (frozen.objects > 0) return { status: 'frozen', objects: frozen.objects, bytes: frozen.bytes };
  const announce = run.generation === FIRST_GENERATION || isRepetition(run.generation);
  if (!announce) {
    // No message follows, so no later state marks its end, and the next generation would wait indefinitely.
    await markEnded(store, run, 'empty', clock());
  }
  return { status: 'empty', announce };
}

/**
 * Abandoned generations took nothing in, so the one before them counts.
 * It must have ended: two runs of one drop at once would have their files judged by two plans.
 */
async function findPredecessor(
  store: ObjectStore,
  run: RunParts,
): Promise<Predecessor | 'unfinished' | undefined> {
  for (let at = generationBefore(run.generation); at !== undefined; at = generationBefore(at)) {
    const before = { ...run, generation: at };
    const frozen = await frozenJson(before).read(store);
    if (frozen === undefined) return 'unfinished';
    if (frozen.status === 'abandoned') continue;
    const ended = await store.describe(bucketLayout.ended(before));
    return ended === undefined ? 'unfinished' : { run: before, frozen };
  }
  return undefined;
}

async function uploadWait(
  run: RunParts,
  startedAt: Date,
  before: Predecessor | undefined,
  { store, clock }: ListManifestServices,
): Promise<{ readonly waitSeconds: number | undefined; readonly isCut: boolean }> {
  const [pipelineText, job, pulse, readyAt, uploadingAt] = await Promise.all([
    store.readText(bucketLayout.pipelineConfig(run.pipeline)),
    readJobFile(store, run),
    store.describe(bucketLayout.pulse(run)),
    markedAt(store, run, before, MARKS.ready),
    markedAt(store, run, before, MARKS.uploading),
  ]);
  const settings = readWaitSettings(pipelineText, job && 'text' in job ? job.text : undefined);
  // Of two within a second the upload is complete: S3 counts whole seconds.
  const isHeld = uploadingAt > readyAt;
  const isReady = readyAt > 0 && !isHeld;
  const uploading = { now: clock(), startedAt, pulseAt: pulse?.lastModified, isReady, isHeld };
  return { waitSeconds: quietWait(settings, uploading), isCut: isUploading(settings, uploading) };
}

/** When a mark was last written, 0 if never. One that was there when the last manifest was frozen is about that manifest's files. */
async function markedAt(
  store: ObjectStore,
  run: RunParts,
  before: Predecessor | undefined,
  name: string,
): Promise<number> {
  const found = await Promise.all(dropFileKeys(run, name).map((key) => store.describe(key)));
  const at = Math.max(0, ...found.map((object) => object?.lastModified.getTime() ?? 0));
  if (at === 0 || before === undefined) return at;
  const freezing = await store.describe(bucketLayout.freezing(before.run));
  return freezing === undefined || at > freezing.lastModified.getTime() ? at : 0;
}
