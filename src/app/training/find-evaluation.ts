import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout, folderName } from '../../run/bucket-layout.ts';
import { isRerun, parseGeneration } from '../../run/generation.ts';
import { toRunId } from '../../run/run-id.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { frozenJson } from '../records/frozen.ts';
import { hasManifest } from '../records/manifest.ts';

/** The newest run of an evaluation drop whose manifest can be repeated; null where there is none. */
export async function findEvaluation(
  store: ObjectStore,
  pipeline: string,
  drop: string | null,
): Promise<TrainingPlan['after']['evaluate']> {
  if (drop === null) return null;
  const generations: string[] = [];
  for await (const folder of store.listFolders(bucketLayout.stateOf({ pipeline, drop }))) {
    const name = folderName(folder);
    if (parseGeneration(name) !== undefined && !isRerun(name)) generations.push(name);
  }
  for (const generation of generations.sort().reverse()) {
    const run = { pipeline, drop, generation };
    const frozen = await frozenJson(run).read(store);
    if (frozen?.status !== 'frozen' || frozen.objects === 0 || !(await hasManifest(store, frozen))) continue;
    return { drop, run: toRunId(run), objects: frozen.objects };
  }
  return null;
}
