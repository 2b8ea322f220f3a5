import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { CutBundle } from '../../transform/bundle-cutter.ts';
import { readBundleItems } from '../records/bundle-items.ts';
import { bundleLists } from '../records/bundles.ts';

/** A bundle of a run, with the length of its answers in bytes; undefined if it has no answers. */
export interface SentBundle extends CutBundle {
  readonly run: RunParts;
  readonly list: string;
  /** Key of its answers. */
  readonly output: string;
  readonly outputBytes: number | undefined;
  /** True if it was sent by the run that the other one continues. */
  readonly isEarlier: boolean;
}

/** The bundles of a run's jobs, some 300 bytes of memory each. */
export interface SentBundles {
  /** Neighbors in each list; of several lists that have an input, a later one has asked for it again. */
  readonly lists: readonly (readonly SentBundle[])[];
  /** The first object among the answers that belongs to no bundle. */
  readonly unexplained: string | undefined;
}

/** Reads which bundles a run's jobs were sent, and which of them have answers. */
export async function readSentBundles(
  store: ObjectStore,
  run: RunParts,
  isEarlier: boolean,
): Promise<SentBundles> {
  const [names, outputs] = await Promise.all([
    bundleLists(store, run),
    Array.fromAsync(store.list(bucketLayout.predictions(run))),
  ]);
  const written = new Map(outputs.map(({ key, size }) => [key, size]));
  const lists: SentBundle[][] = [];
  for (const list of names) {
    const items = await readBundleItems(store, run, list);
    lists.push(
      items.map((item) => {
        const output = bucketLayout.bundleOutput(run, list, item.bundle);
        return { ...item, run, list, output, outputBytes: written.get(output), isEarlier };
      }),
    );
  }
  const explained = new Set(lists.flat().map(({ output }) => output));
  return { lists, unexplained: written.keys().find((key) => !explained.has(key)) };
}
