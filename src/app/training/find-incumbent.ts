import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';

/** The model beside pipeline.json; null without one. */
export async function findIncumbent(
  store: ObjectStore,
  pipeline: string,
): Promise<TrainingPlan['incumbent']> {
  const found = await store.open(bucketLayout.pipelineModel(pipeline));
  if (found === undefined) return null;
  const hash = createHash('sha256');
  for await (const chunk of found.body) hash.update(chunk);
  return { sha256: hash.digest('hex'), etag: found.etag };
}
