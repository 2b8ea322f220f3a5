import type { ObjectStore } from '../../aws/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { PlannedJob } from '../../plan/plan.ts';
import { objectsWithin, quoteSeconds } from '../../price/quote.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { exclusionOf } from '../../transform/exclusion.ts';
import { toOutputKey } from '../../transform/output-key.ts';
import { resolvePayload } from '../../transform/payload.ts';
import { isOfPilot, pilotSize } from '../../transform/pilot.ts';
import { isSampled } from '../../transform/progress.ts';
import { SizeProfile } from '../../transform/size-profile.ts';
import { splitJobs } from '../../transform/split-jobs.ts';
import { writeJobInputs } from '../records/job.ts';
import { readManifest } from '../records/manifest.ts';
import type { InputProfile, RunInputs } from './profile-inputs.ts';

/** A job is quoted at no more than two hours, since a stopped job's outputs are lost. */
const MAX_JOB_SECONDS = 7_200;

/** What the jobs are made from. */
interface JobSources {
  readonly config: PipelineConfig;
  readonly frozen: Pick<Frozen, 'sourceBucket' | 'sourcePrefix'>;
  readonly inputs: RunInputs;
  readonly profile: InputProfile;
}

/** The jobs of a run, and which inputs belong to each. */
interface PlannedJobs {
  readonly planned: PlannedJob[];
  readonly outlierBytes: number | null;
  /** Keys of the pilot's inputs. */
  readonly pilot: string[];
  readonly notes: string[];
}

/**
 * Decides how many jobs the inputs make, and writes the inputs of each. Of a large run a few inputs from all over it come first, in
 * the pilot; the few far larger inputs come last, in one job.
 */
export async function planJobs(
  store: ObjectStore,
  run: RunParts,
  { config, frozen, inputs, profile: { sent } }: JobSources,
): Promise<PlannedJobs> {
  const { transform } = config;
  const outlierBytes = outliersApart(config, sent);
  const { instanceCount } = transform;
  const notes = new Set<string>();
  const payloadFor = (largest: number): { maxPayloadInMB: number; maxConcurrentTransforms: number } => {
    const { notes: lowered, ...payload } = resolvePayload(transform, largest);
    for (const note of lowered) notes.add(note);
    return payload;
  };

  const usualCount = sent.count - (outlierBytes === null ? 0 : sent.outliers());
  const { maxConcurrentTransforms } = resolvePayload(
    transform,
    Math.min(sent.largest, outlierBytes ?? sent.largest),
  );
  const work = { objects: sent.count, bytes: sent.bytes, instanceCount, maxConcurrentTransforms };
  const pilotInputs = pilotSize(config.limits.pilot, usualCount, quoteSeconds(work));

  const outliers: ManifestEntry[] = [];
  const pilot: ManifestEntry[] = [];
  async function* usual(): AsyncGenerator<ManifestEntry, undefined> {
    let index = 0;
    for await (const entry of readManifest(store, inputs.manifest)) {
      const outputKey = toOutputKey(entry.key, inputs);
      if (exclusionOf({ ...entry, outputKey, largestAllowedBytes: inputs.largestAllowedBytes }) !== undefined)
        continue;
      if (outlierBytes !== null && entry.size > outlierBytes) outliers.push(entry);
      else if (isOfPilot(index++, usualCount, pilotInputs)) pilot.push(entry);
      else yield entry;
    }
  }
  const entries = usual();
  const planned: PlannedJob[] = [];
  const write = async (
    from: AsyncIterator<ManifestEntry>,
    objects: number,
    { part = planned.length + (pilotInputs > 0 ? 2 : 1), isApart = false, isPilot = false } = {},
  ): Promise<void> => {
    const key = bucketLayout.partInput(run, part);
    const sizes = new SizeProfile();
    const keys: { first: string; last: string; sample: string[] } = { first: '', last: '', sample: [] };
    async function* below(): AsyncGenerator<string> {
      for (let index = 0; index < objects; index++) {
        const { value: entry, done } = await from.next();
        if (done === true) throw new RangeError(`${inputs.manifest} changed while it was planned`);
        sizes.add(entry.size);
        if (index === 0) keys.first = entry.key;
        keys.last = entry.key;
        if (isSampled(index, objects)) keys.sample.push(entry.key);
        yield entry.key;
      }
    }
    const place = { bucket: frozen.sourceBucket, prefix: frozen.sourcePrefix };
    await writeJobInputs(store, key, place, below());
    const payload = payloadFor(sizes.largest);
    const about = { objects, bytes: sizes.bytes, instanceCount, ...payload };
    planned[isPilot ? 'unshift' : 'push']({
      part,
      input: key,
      objects,
      bytes: sizes.bytes,
      largestObjectBytes: sizes.largest,
      firstKey: keys.first,
      lastKey: keys.last,
      sample: keys.sample,
      outliers: isApart,
      pilot: isPilot,
      ...payload,
      quotedSeconds: quoteSeconds(about),
    });
  };

  for (const objects of splitJobs(usualCount - pilotInputs, objectsWithin(MAX_JOB_SECONDS, work)))
    await write(entries, objects);
  // What follows the last usual entry may still be the pilot's, or outliers.
  await entries.next();
  if (outliers.length > 0) {
    await write(each(outliers), outliers.length, { isApart: true });
    notes.add(
      `${outliers.length} objects above ${Math.round(outlierBytes ?? 0)} bytes go in a job of their own: they are more than 4 times the 99th percentile`,
    );
  }
  if (pilot.length > 0) {
    await write(each(pilot), pilot.length, { part: 1, isPilot: true });
    notes.add(
      `a pilot of ${pilot.length} inputs from all over the run goes first: the other ${sent.count - pilot.length} are sent where its answers can be read (limits.pilot)`,
    );
  }
  return { planned, outlierBytes, pilot: pilot.map(({ key }) => key), notes: [...notes] };
}

/** A job apart costs a start, so that it is made only where it lets the others have a smaller payload. */
function outliersApart({ transform }: PipelineConfig, sent: SizeProfile): number | null {
  const bound = sent.outlierBytes();
  if (transform.splitType !== 'None' || sent.largest <= bound) return null;
  const together = resolvePayload(transform, sent.largest);
  const apart = resolvePayload(transform, bound);
  return apart.maxConcurrentTransforms > together.maxConcurrentTransforms ? bound : null;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T, undefined> {
  yield* items;
}
