import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';

/** Writes pipeline.json, which else only people write, in place of the text that was read. */
export async function writePipelineConfig(store: ObjectStore, pipeline: string, text: string): Promise<void> {
  await store.write(bucketLayout.pipelineConfig(pipeline), text, { contentType: 'application/json' });
}
