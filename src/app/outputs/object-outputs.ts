import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder, takeInOrder } from '../../concurrency/in-order.ts';
import { independence } from '../../transform/batch-dependence.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { chunkManifest, type ManifestChunk, placeAfter } from '../../transform/manifest-chunk.ts';
import { isOutputTooLong, type OutputMapping, toOutputKey } from '../../transform/output-key.ts';
import type { Answer, Failure } from '../../transform/reconcile-chunk.ts';
import { countOutputs } from './count-outputs.ts';
import { leftOutputs } from './left-outputs.ts';
import { listOutputs } from './list-outputs.ts';
import type { CountedPlan, Outputs } from './outputs.ts';
import { writtenBelow } from './written-below.ts';

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
