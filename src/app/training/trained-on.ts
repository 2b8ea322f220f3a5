import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { Evaluation } from '../records/evaluation.ts';
import { readManifest } from '../records/manifest.ts';

/** Cap on the inputs of an evaluation that are held in memory, about 150 MB; later ones are not checked. */
const MAX_COMPARED = 1_000_000;
/** Cap on the keys that are named. */
const MAX_NAMED = 20;

/** Finds the inputs of an evaluation that the training had, too: the same content by ETag and size, whatever its key. */
export async function findTrainedOn(
  store: ObjectStore,
  training: RunParts,
  judged: RunParts,
): Promise<Evaluation['trainedOn']> {
  const keys = new Map<string, string>();
  /** How many further inputs have a content; most have none. */
  const repeats = new Map<string, number>();
  let compared = 0;
  for await (const { key, etag, size } of readManifest(store, bucketLayout.manifest(judged))) {
    if (compared === MAX_COMPARED) break;
    compared += 1;
    const content = `${etag} ${size}`;
    if (keys.has(content)) repeats.set(content, (repeats.get(content) ?? 0) + 1);
    else keys.set(content, key);
  }
  const found = new Set<string>();
  let count = 0;
  for await (const { etag, size } of readManifest(store, bucketLayout.manifest(training))) {
    const content = `${etag} ${size}`;
    const key = keys.get(content);
    if (key === undefined || found.has(key)) continue;
    found.add(key);
    count += 1 + (repeats.get(content) ?? 0);
  }
  return { count, first: [...found].toSorted().slice(0, MAX_NAMED), compared };
}
