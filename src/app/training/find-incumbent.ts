import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { contentDigest } from '../../model/content-digest.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';

/** The model beside pipeline.json; null without one. */
export async function findIncumbent(
  store: ObjectStore,
  pipeline: string,
): Promise<TrainingPlan['incumbent']> {
  const key = bucketLayout.pipelineModel(pipeline);
  const found = await store.open(key);
  if (found === undefined) return null;
  const hash = createHash('sha256');
  for await (const chunk of found.body) hash.update(chunk);
  const again = await store.open(key);
  const content = again?.etag === found.etag ? await contentDigest(again.body) : null;
  return { sha256: hash.digest('hex'), etag: found.etag, content };
}
