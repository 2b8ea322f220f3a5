import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';

/** Replaces pipeline.json, which users write, if it is still the text that was read. */
export async function writePipelineConfig(store: ObjectStore, pipeline: string, text: string): Promise<void> {
  await store.write(bucketLayout.pipelineConfig(pipeline), text, { contentType: 'application/json' });
}
