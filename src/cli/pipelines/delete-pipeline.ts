import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';

/** Name under which the settings of a deleted pipeline stay in its folder. */
const DELETED_CONFIG = 'deleted-pipeline.json';

/**
 * Closes a pipeline: its pipeline.json gets another name, and without it no drop runs and no model is trained. Every other file stays.
 *
 * @returns where the settings are now
 */
export async function deletePipeline(
  store: Pick<ObjectStore, 'bucket' | 'copy' | 'delete'>,
  pipeline: string,
): Promise<string> {
  const key = bucketLayout.pipelineConfig(pipeline);
  const kept = bucketLayout.pipelineFile(pipeline, DELETED_CONFIG);
  await store.copy({ bucket: store.bucket, key }, kept);
  await store.delete(key);
  return kept;
}
