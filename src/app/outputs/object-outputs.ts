import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder, takeInOrder } from '../../concurrency/in-order.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { independence } from '../../transform/batch-dependence.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { chunkManifest, type ManifestChunk, placeAfter } from '../../transform/manifest-chunk.ts';
import type { WrittenAnswers } from '../../transform/measured-speed.ts';
import { isOutputTooLong, type OutputMapping, toOutputKey } from '../../transform/output-key.ts';
import { estimateProgress, EXACT_OBJECTS, type Progress } from '../../transform/progress.ts';
import type { Answer, Failure } from '../../transform/reconcile-chunk.ts';
import type { CountedPlan, Outputs } from './outputs.ts';

const LOOKUPS_AT_ONCE = 20;
/** The reason why an input has no object is only in its job's log. */
const NONE: ReadonlyMap<string, Failure> = new Map();

/** The layout of SageMaker's batch transform: an object for each input, named for its key. */
export function objectOutputs(store: ObjectStore, mapping: OutputMapping, earlierPrefix?: string): Outputs {
  const lookUp = (names: Iterable<string>): ReturnType<Outputs['lookUp']> =>
    inOrder(names, LOOKUPS_AT_ONCE, async (name): Promise<Answer | undefined> => {
      const output = toOutputKey(name, mapping);
      const found = await store.describe(output);
      return found && { key: output, bytes: found.size };
    });
  const read: Outputs['read'] = (place) =>
    place === undefined ? Promise.resolve(undefined) : store.readBytes(place);
  return {
    isTooLong: (name) => isOutputTooLong(name, mapping),
    async *groups(inputs, size, from) {
      for await (const chunk of chunkManifest(inputs, size, mapping, from)) {
        yield {
          entries: chunk.entries,
          next: chunk.outputsThrough === undefined ? undefined : placeAfter(chunk),
          async find() {
            const listed = await listOutputs(store, chunk, mapping.outputPrefix);
            const answers = new Map<string, Answer>();
            const expected = new Set<string>();
            for (const { name } of chunk.entries) {
              const output = toOutputKey(name, mapping);
              expected.add(output);
              const bytes = listed.get(output);
              if (bytes !== undefined) answers.set(name, { key: output, bytes });
            }
            if (earlierPrefix !== undefined)
              await addEarlier(store, chunk, { mapping, earlierPrefix }, answers);
            const unexplained = listed.keys().find((key) => !expected.has(key) && !chunk.foreign.has(key));
            return { answers, failures: NONE, unexplained };
          },
        };
      }
    },
    lookUp,
    read,
    readEach: (entries, atOnce, take) => takeInOrder(entries, atOnce, ({ output }) => read(output), take),
    dependence: independence,
    notes: () => Promise.resolve([]),
    count: (job, plan) => countOutputs({ store, mapping, lookUp }, plan, job),
    settle: (_job, heads) => Promise.resolve(heads),
    written: () => writtenBelow(store, mapping.outputPrefix),
    async hasAny(job, plan) {
      if (!isAmongOthers(job, plan)) return leftOutputs(store, mapping, plan, job);
      for await (const [, answer] of lookUp(job.sample)) if (answer !== undefined) return true;
      return false;
    },
  };
}

/** Whether inputs of earlier rounds lie between a job's inputs. */
function isAmongOthers({ part }: JobRecord, { jobs }: CountedPlan): boolean {
  return jobs.some((job) => job.part === part && job.round > 1);
}

/** Adds the answers that an earlier run has left for inputs of a chunk; the names of its outputs differ only in the prefix. */
async function addEarlier(
  store: ObjectStore,
  chunk: ManifestChunk,
  { mapping, earlierPrefix }: { readonly mapping: OutputMapping; readonly earlierPrefix: string },
  answers: Map<string, Answer>,
): Promise<void> {
  const moved = (key: string): string => earlierPrefix + key.slice(mapping.outputPrefix.length);
  const listed = await listOutputs(
    store,
    {
      outputsAfter: chunk.outputsAfter === undefined ? undefined : moved(chunk.outputsAfter),
      outputsThrough: chunk.outputsThrough === undefined ? undefined : moved(chunk.outputsThrough),
      detached: chunk.detached.map(moved),
    },
    earlierPrefix,
  );
  for (const { name } of chunk.entries) {
    const key = moved(toOutputKey(name, mapping));
    const bytes = listed.get(key);
    if (bytes !== undefined && !answers.has(name)) answers.set(name, { key, bytes, isEarlier: true });
  }
}

/** Progress of a run: its outputs counted, or, of a large run, looked up for the job's sample of inputs. */
async function countOutputs(
  {
    store,
    mapping,
    lookUp,
  }: { readonly store: ObjectStore; readonly mapping: OutputMapping } & Pick<Outputs, 'lookUp'>,
  plan: CountedPlan,
  { sample, objects, outputsBefore }: JobRecord,
): Promise<Progress> {
  if (plan.objects <= EXACT_OBJECTS) {
    let done = 0;
    for await (const _output of store.list(mapping.outputPrefix)) done += 1;
    return { done: Math.min(done, plan.objects), total: plan.objects, approximate: false };
  }
  let found = 0;
  for await (const [, answer] of lookUp(sample)) if (answer !== undefined) found += 1;
  return estimateProgress(
    { found, of: sample.length },
    { objects, before: outputsBefore, total: plan.objects },
  );
}

/**
 * Whether a job of neighboring inputs has left any output: usually one request. True is always right; false only misses outputs of
 * inputs with a key that is a prefix of the job's last key. The pilot's outputs, in between the others, aren't the job's.
 */
async function leftOutputs(
  store: ObjectStore,
  mapping: OutputMapping,
  { pilot }: CountedPlan,
  { firstKey, lastKey }: JobRecord,
): Promise<boolean> {
  const others = new Set(pilot);
  const { inputPrefix, outputPrefix } = mapping;
  const last = toOutputKey(lastKey, mapping);
  const startAfter = `${outputPrefix}${firstKey.slice(inputPrefix.length)}`;
  for await (const { key } of store.list(outputPrefix, { startAfter })) {
    const source = `${inputPrefix}${key.slice(outputPrefix.length, -'.out'.length)}`;
    const isWithin = compareByteOrder(source, firstKey) >= 0 && compareByteOrder(source, lastKey) <= 0;
    if (isWithin && !others.has(source)) return true;
    if (compareByteOrder(key, last) > 0) return false;
  }
  return false;
}

/** Sizes in bytes of the outputs in a chunk's stretch of the listing, and of those that are listed elsewhere, by key. */
async function listOutputs(
  store: ObjectStore,
  {
    outputsAfter,
    outputsThrough,
    detached,
  }: Pick<ManifestChunk, 'outputsAfter' | 'outputsThrough' | 'detached'>,
  prefix: string,
): Promise<Map<string, number>> {
  const outputs = new Map<string, number>();
  const through = (key: string): boolean =>
    outputsThrough === undefined || compareByteOrder(key, outputsThrough) <= 0;
  for await (const { key, size } of store.list(
    prefix,
    outputsAfter === undefined ? {} : { startAfter: outputsAfter },
  )) {
    if (!through(key)) break;
    outputs.set(key, size);
  }
  for (const key of detached) {
    const found = await store.describe(key);
    if (found !== undefined) outputs.set(key, found.size);
  }
  return outputs;
}

/** Number of the outputs below a prefix, and when the first and the last were written; undefined if there are none. */
async function writtenBelow(
  store: Pick<ObjectStore, 'list'>,
  prefix: string,
): Promise<WrittenAnswers | undefined> {
  let found: WrittenAnswers | undefined;
  for await (const { lastModified: at } of store.list(prefix)) {
    const { count, first, last } = found ?? { count: 0, first: at, last: at };
    found = { count: count + 1, first: at < first ? at : first, last: at > last ? at : last };
  }
  return found;
}
