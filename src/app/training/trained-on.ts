import { bucketLayout } from '../../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { readManifest } from '../records/run.ts';
import type { Evaluation, SetAside } from '../records/training.ts';
import { findNearDuplicates, type LookingServices } from './find-near-duplicates.ts';

/** Cap on the inputs of an evaluation that are held in memory, about 150 MB; later ones are not checked. */
const MAX_COMPARED = 1_000_000;
/** Cap on the keys that are named. */
const MAX_NAMED = 20;

/** Inputs that an evaluation shares with a training, and with the training that made the incumbent model. */
interface Shared {
  readonly trainedOn: Evaluation['trainedOn'];
  readonly nearDuplicates: Evaluation['nearDuplicates'];
  readonly incumbentTrainedOn: Evaluation['incumbentTrainedOn'];
  readonly setAside: Omit<SetAside, 'schema'>;
}

/**
 * Finds the inputs of an evaluation that the training had, too: the same content by ETag and size, whatever its key; images that look like
 * one of them; and files of which the evaluation has several copies, so that one file counts once. `incumbent` is the training that made
 * the incumbent model.
 */
export async function findTrainedOn(
  services: LookingServices,
  training: RunParts,
  { judged, incumbent }: { readonly judged: RunParts; readonly incumbent: RunParts | undefined },
): Promise<Shared> {
  const { store } = services;
  /** Contents in the order of their first keys. */
  const inputs = new Map<string, { etag: string; size: number; key: string; copies: number }>();
  let compared = 0;
  for await (const { key, etag, size } of readManifest(store, bucketLayout.manifest(judged))) {
    if (compared === MAX_COMPARED) break;
    compared += 1;
    const found = inputs.get(`${etag} ${size}`);
    if (found === undefined) inputs.set(`${etag} ${size}`, { etag, size, key, copies: 1 });
    else found.copies += 1;
  }
  const seenBy = async (run: RunParts | undefined): Promise<Set<string>> => {
    const seen = new Set<string>();
    if (run === undefined) return seen;
    for await (const { etag, size } of readManifest(store, bucketLayout.manifest(run)))
      if (inputs.has(`${etag} ${size}`)) seen.add(`${etag} ${size}`);
    return seen;
  };
  const seen = await seenBy(training);
  const seenBefore = await seenBy(incumbent);
  const unseen = [...inputs.values()].filter(({ etag, size }) => !seen.has(`${etag} ${size}`));
  const alike = await findNearDuplicates(services, training, unseen);
  const lookalikes = new Set(alike?.contents.map(({ etag, size }) => `${etag} ${size}`));
  const contents: SetAside['contents'] = [];
  const incumbents: SetAside['incumbents'] = [];
  const keys: string[] = [];
  let count = 0;
  let before = 0;
  for (const [content, { etag, size, key, copies }] of inputs) {
    const isTrainedOn = seen.has(content);
    const countsNot = isTrainedOn || lookalikes.has(content);
    if (countsNot || copies > 1) contents.push({ etag, size, counts: countsNot ? null : key });
    if (seenBefore.has(content)) {
      incumbents.push({ etag, size });
      before += copies;
    }
    if (!isTrainedOn) continue;
    count += copies;
    keys.push(key);
  }
  return {
    trainedOn: { count, first: keys.toSorted().slice(0, MAX_NAMED), compared },
    nearDuplicates: alike?.told ?? null,
    incumbentTrainedOn: incumbent === undefined ? null : { training: toRunId(incumbent), count: before },
    setAside: { contents, incumbents },
  };
}
