import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { contentDigest } from '../../model/content-digest.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';

/** The model next to pipeline.json; null without one. Its content is read if it may be compared with the trained model's. */
export async function findIncumbent(
  store: ObjectStore,
  pipeline: string,
  promote: TrainingPlan['after']['promote'],
): Promise<TrainingPlan['incumbent']> {
  const key = bucketLayout.pipelineModel(pipeline);
  const found = await store.open(key);
  if (found === undefined) return null;
  const hash = createHash('sha256');
  for await (const chunk of found.body) hash.update(chunk);
  const model = { sha256: hash.digest('hex'), etag: found.etag };
  if (promote === 'never') return { ...model, content: null };
  const again = await store.open(key);
  if (again?.etag === found.etag) return { ...model, content: await contentDigest(again.body) };
  again?.body.destroy();
  return { ...model, content: null };
}
