import type { ObjectStore } from '../../aws/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseGeneration } from '../../run/generation.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import { existingGenerations } from '../run/repeat-manifest.ts';

/**
 * The run whose checkpoints a training reads and writes: of a rerun that of its original, unless another training of the same files is
 * under way, since two jobs would overwrite each other's.
 */
export async function findCheckpoints(
  store: ObjectStore,
  run: RunParts,
  { rerunOf }: Pick<Frozen, 'rerunOf'>,
): Promise<RunParts> {
  const original = rerunOf === undefined ? undefined : parseRunId(rerunOf);
  if (original === undefined) return run;
  const manifest = parseGeneration(original.generation)?.number;
  for (const generation of await existingGenerations(store, run)) {
    if (generation === run.generation || parseGeneration(generation)?.number !== manifest) continue;
    if ((await store.describe(bucketLayout.ended({ ...run, generation }))) === undefined) return run;
  }
  return original;
}
