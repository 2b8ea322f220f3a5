import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { kindOf } from '../../drop/drop-key.ts';
import { type ChosenNumbers, labelNumbers } from '../../init/label-numbers.ts';
import type { TruthSource } from '../../pipeline/label-settings.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { labelsOfFiles } from './labels-of-files.ts';

/** Cap on the different labels that are looked at: more of them come from a pattern that captures an id. */
const MAX_LABELS = 100_000;

/**
 * How the labels of a pipeline's evaluation set write their classes, if the set is there and settles it.
 *
 * @param set name of the set
 */
export async function evaluationNumbers(
  store: ObjectStore,
  pipeline: string,
  set: string,
  { truth, classes }: { readonly truth: TruthSource; readonly classes: readonly string[] },
): Promise<ChosenNumbers | undefined> {
  const prefix = bucketLayout.evaluationSet(pipeline, set);
  async function* keys() {
    for await (const { key } of store.list(prefix))
      if (kindOf(key.slice(prefix.length), 'inference') === 'file') yield { key };
  }
  const labels = new Set<string>();
  const isRead = await labelsOfFiles({ truth, classes, store, prefix, keys }, (label) => {
    if (labels.size < MAX_LABELS) labels.add(label);
  });
  return isRead ? labelNumbers([...labels], classes, []) : undefined;
}
