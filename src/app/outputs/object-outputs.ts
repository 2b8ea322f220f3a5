import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { chunkManifest, placeAfter } from '../../transform/manifest-chunk.ts';
import { isOutputTooLong, type OutputMapping, toOutputKey } from '../../transform/output-key.ts';
import type { Answer } from '../../transform/reconcile-chunk.ts';
import { countOutputs } from './count-outputs.ts';
import { leftOutputs } from './left-outputs.ts';
import { listOutputs } from './list-outputs.ts';
import type { Outputs } from './outputs.ts';

const LOOKUPS_AT_ONCE = 20;

/** The layout of SageMaker's batch transform: an object for each input, named for its key. */
export function objectOutputs(store: ObjectStore, mapping: OutputMapping): Outputs {
  const lookUp = (names: Iterable<string>): ReturnType<Outputs['lookUp']> =>
    inOrder(names, LOOKUPS_AT_ONCE, async (name): Promise<Answer | undefined> => {
      const output = toOutputKey(name, mapping);
      const found = await store.describe(output);
      return found && { key: output, bytes: found.size };
    });
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
            const unexplained = listed.keys().find((key) => !expected.has(key) && !chunk.foreign.has(key));
            return { answers, unexplained };
          },
        };
      }
    },
    lookUp,
    read: (place) => (place === undefined ? Promise.resolve(undefined) : store.readBytes(place)),
    count: (job, plan) => countOutputs({ store, mapping, lookUp }, plan, job),
    hasAny: (job, plan) => leftOutputs(store, mapping, plan, job),
  };
}
