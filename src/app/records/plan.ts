import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The plan of a run. */
export const planJson = jsonDocument({ key: bucketLayout.plan, schema: Plan, write: 'replace', indent: 2 });

/** Replaces pipeline.json, which users write, if it is still the text that was read. */
export async function writePipelineConfig(store: ObjectStore, pipeline: string, text: string): Promise<void> {
  await store.write(bucketLayout.pipelineConfig(pipeline), text, { contentType: 'application/json' });
}
