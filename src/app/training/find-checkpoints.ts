import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseGeneration } from '../../run/generation.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import type { EarlierCheckpoints } from '../../training/build-training-plan.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { existingGenerations } from '../run/repeat-manifest.ts';

/**
 * The checkpoints that a rerun reads and writes: its original's, unless another training of the same files is under way, because
 * two jobs would overwrite each other's checkpoints.
 */
export async function findCheckpoints(
  store: ObjectStore,
  run: RunParts,
  { origin }: Pick<Frozen, 'origin'>,
): Promise<EarlierCheckpoints> {
  const original = origin.mode === 'drop' ? undefined : parseRunId(origin.of);
  if (original === undefined) return { uri: null, areInUse: false };
  const manifest = parseGeneration(original.generation)?.number;
  for (const generation of await existingGenerations(store, run)) {
    if (generation === run.generation || parseGeneration(generation)?.number !== manifest) continue;
    if ((await store.describe(bucketLayout.ended({ ...run, generation }))) === undefined)
      return { uri: null, areInUse: true };
  }
  const plan = await trainingPlanJson(original).read(store);
  return { uri: plan?.checkpoints?.uri ?? null, areInUse: false };
}
