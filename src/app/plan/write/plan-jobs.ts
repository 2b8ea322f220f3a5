import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { Frozen } from '../../../drop/frozen.ts';
import type { Input } from '../../../input/input.ts';
import type { EngineConfig } from '../../../plan/engine/engine-config.ts';
import { planningOf } from '../../../plan/engine/engine-of.ts';
import type { InputProfile } from '../../../plan/found.ts';
import type { Plan, PlannedJob } from '../../../plan/plan.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../../run/run-id.ts';
import { grouped } from '../../../text/figures.ts';
import { inputsOfBundle, inputsOfLine } from '../../../transform/bundle-cutter.ts';
import { exclusionOf, type SendLimits } from '../../../transform/exclusion.ts';
import type { MeasuredSpeed } from '../../../transform/measured-speed.ts';
import { isSampled } from '../../../transform/progress.ts';
import { SizeProfile } from '../../../transform/size-profile.ts';
import { isOfPilot, pilotSize, splitJobs } from '../../../transform/split-jobs.ts';
import { readToSend } from '../../records/inputs.ts';
import { writeSentInputs } from '../../records/sent-inputs.ts';

/** A run, and the settings that decide which of its inputs are sent. */
interface RunInputs extends SendLimits {
  readonly run: RunParts;
  /** The run that has already sent its inputs; null for other runs. */
  readonly continues: RunParts | null;
}

/** Facts that the jobs are made from. */
interface JobSources {
  readonly config: EngineConfig;
  readonly speeds: readonly MeasuredSpeed[];
  readonly frozen: Pick<Frozen, 'sourceBucket' | 'sourcePrefix'>;
  readonly unpacked: string | null;
  /** Caps on a bundle; null if inputs are sent one by one. */
  readonly bundle: Plan['bundle'];
  /** Whether the first job is to show that the archive answers bundles: with one of them `apart`, or with `all` inputs of a probe. */
  readonly firstBundle: 'none' | 'apart' | 'all';
  readonly inputs: RunInputs;
  readonly profile: Pick<InputProfile, 'sent'>;
}

/** The jobs of a run, and which inputs belong to each. */
interface PlannedJobs {
  readonly planned: PlannedJob[];
  readonly outlierBytes: number | null;
  /** Keys of the pilot's inputs. */
  readonly pilot: string[];
  /** Whether a pilot was asked for. */
  readonly isPilot: boolean;
  readonly notes: string[];
}

/**
 * Decides how many jobs the inputs make, and writes the inputs of each. In a large run a few inputs from all over it come first, in the
 * pilot or in the first bundle; the few far larger inputs come last, in one job.
 */
export async function planJobs(store: ObjectStore, run: RunParts, sources: JobSources): Promise<PlannedJobs> {
  const { config, speeds, inputs, profile, bundle } = sources;
  const { sent } = profile;
  const outlierBytes = outliersApart(config, sent, bundle);
  const usualCount = sent.count - (outlierBytes === null ? 0 : sent.outliers());
  const usualLargest = Math.min(sent.largest, outlierBytes ?? sent.largest);
  const engine = planningOf(config.transform.engine);
  const { settings } = engine.jobSettings(config, usualLargest, speeds, bundle);
  const work = { objects: sent.count, bytes: sent.bytes };
  const asked = pilotSize(config.limits.pilot, usualCount, engine.quoteSeconds(work, settings));
  const pilotCount =
    bundle !== null && sources.firstBundle === 'apart'
      ? firstBundleSize(inputsOfBundle(bundle, usualLargest), usualCount, asked)
      : asked;

  const apart: ApartInputs = { outliers: [], pilot: [] };
  const entries = usualInputs(store, inputs, { outlierBytes, usualCount, pilotCount }, apart);
  const planned: PlannedJob[] = [];
  const notes = new Set<string>();
  const write = async (
    from: AsyncIterator<Input>,
    objects: number,
    { part = planned.length + (pilotCount > 0 ? 2 : 1), outliers = false, pilot = false } = {},
  ): Promise<PlannedJob> => {
    const written = await writeJob(store, run, sources, { from, objects, part, outliers, pilot });
    for (const note of written.notes) notes.add(note);
    return written.job;
  };
  const perLine = inputsOfLine(bundle, sent.bytes / Math.max(1, sent.count));
  for (const objects of splitJobs(usualCount - pilotCount, engine.objectsOfJob(work, settings), perLine))
    planned.push(await write(entries, objects));
  // The entries after the last usual one may still belong to the pilot or be outliers; another usual one would be in no job.
  if ((await entries.next()).done !== true) throw inputsChanged(inputs);
  const { outliers, pilot } = apart;
  if (outliers.length > 0) {
    planned.push(await write(each(outliers), outliers.length, { outliers: true }));
    notes.add(
      `${outliers.length} objects above ${Math.round(outlierBytes ?? 0)} bytes go in a job of their own: they are ` +
        'more than 4 times the 99th percentile',
    );
  }
  if (pilot.length > 0) {
    planned.unshift(await write(each(pilot), pilot.length, { part: 1, pilot: true }));
    notes.add(
      asked === 0
        ? `one bundle of ${grouped(pilot.length)} inputs from all over the run goes first, since nobody knows yet ` +
            `whether the archive answers bundles: the other ${grouped(sent.count - pilot.length)} follow in bundles if it ` +
            'does, else without'
        : `a pilot of ${grouped(pilot.length)} inputs from all over the run goes first: the other ` +
            `${grouped(sent.count - pilot.length)} are sent where its answers can be read (limits.pilot)`,
    );
  }
  const names = pilot.map(({ name }) => name);
  return { planned, outlierBytes, pilot: names, isPilot: asked > 0, notes: [...notes] };
}

/** Inputs of the first bundle that go in a job of their own; 0 if all fit into one bundle. */
function firstBundleSize(room: number, usualCount: number, pilot: number): number {
  const wanted = pilot === 0 ? room : Math.min(pilot, room);
  return wanted < usualCount ? wanted : 0;
}

function inputsChanged({ run }: RunInputs): RangeError {
  return new RangeError(`the inputs of ${toRunId(run)} changed while it was planned`);
}

interface ApartInputs {
  readonly outliers: Input[];
  readonly pilot: Input[];
}

/** The other inputs for the model, in the order of the manifest; the pilot's and the outliers are collected meanwhile. */
async function* usualInputs(
  store: ObjectStore,
  inputs: RunInputs,
  {
    outlierBytes,
    usualCount,
    pilotCount,
  }: {
    readonly outlierBytes: number | null;
    readonly usualCount: number;
    readonly pilotCount: number;
  },
  { outliers, pilot }: ApartInputs,
): AsyncGenerator<Input, undefined> {
  let index = 0;
  for await (const entry of readToSend(store, inputs)) {
    if (entry.isSent || exclusionOf(entry, inputs) !== undefined) continue;
    if (outlierBytes !== null && entry.size > outlierBytes) outliers.push(entry);
    else if (isOfPilot(index++, usualCount, pilotCount)) pilot.push(entry);
    else yield entry;
  }
}

/** Writes the inputs of one job: the next `objects` of `from`. */
async function writeJob(
  store: ObjectStore,
  run: RunParts,
  { config, speeds, frozen, unpacked, bundle, firstBundle, inputs }: JobSources,
  {
    from,
    objects,
    ...about
  }: Pick<PlannedJob, 'objects' | 'part' | 'outliers' | 'pilot'> & {
    readonly from: AsyncIterator<Input>;
  },
): Promise<{ readonly job: PlannedJob; readonly notes: readonly string[] }> {
  // The plan may be made again without bundles, and its parts must not find these.
  const isFirstBundle = firstBundle !== 'none' && about.part === 1;
  const input = isFirstBundle ? bucketLayout.jobInput(run, 1) : bucketLayout.partInput(run, about.part);
  const sizes = new SizeProfile();
  const keys = { firstKey: '', lastKey: '', sample: new Array<string>() };
  async function* below(): AsyncGenerator<Input> {
    for (let index = 0; index < objects; index++) {
      const { value: entry, done } = await from.next();
      if (done === true) throw inputsChanged(inputs);
      sizes.add(entry.size);
      if (index === 0) keys.firstKey = entry.name;
      keys.lastKey = entry.name;
      if (isSampled(index, objects)) keys.sample.push(entry.name);
      yield entry;
    }
  }
  const place = { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix, unpacked };
  await writeSentInputs(store, run, { input: place, bundle }, { key: input, inputs: below() });
  const rules = planningOf(config.transform.engine);
  const { settings: engine, notes } = rules.jobSettings(config, sizes.largest, speeds, bundle);
  const { bytes, largest: largestObjectBytes } = sizes;
  const quotedSeconds = rules.quoteSeconds({ objects, bytes }, engine);
  const job = {
    ...about,
    round: 1,
    input,
    objects,
    bytes,
    largestObjectBytes,
    ...keys,
    engine,
    quotedSeconds,
  };
  return { job, notes };
}

/** A separate job costs a start, so it is only made if the others gain by it. */
function outliersApart(config: EngineConfig, sent: SizeProfile, bundle: Plan['bundle']): number | null {
  const bound = sent.outlierBytes();
  return planningOf(config.transform.engine).gainsApart(config, bound, sent.largest, bundle) ? bound : null;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, undefined> {
  yield* items;
}
