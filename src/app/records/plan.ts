import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

const plan = { key: bucketLayout.plan, write: 'replace', indent: 2 } as const;

/** The plan of a run. */
export const planJson = jsonDocument({ ...plan, schema: Plan });

/** Which fields of job.json, and which pipeline.json, judged the run, and by which of its inputs. */
export const judgedByJson = jsonDocument({
  ...plan,
  schema: Plan.pick({ judgedByDrop: true, judging: true, sample: true }),
});

/** Which archive the run used, and which a person gave for it. */
export const usedModelJson = jsonDocument({
  ...plan,
  schema: z.object({ model: Plan.shape.model.pick({ sha256: true, served: true, given: true }) }),
});

/** The plan as it was written, for a receipt. */
export const wholePlanJson = jsonDocument({ ...plan, schema: z.unknown() });

/** Replaces pipeline.json, which users write, if it is still the text that was read. */
export async function writePipelineConfig(store: ObjectStore, pipeline: string, text: string): Promise<void> {
  await store.write(bucketLayout.pipelineConfig(pipeline), text, { contentType: 'application/json' });
}

/** Whether a run left rows to compare with, and retention has not taken them. */
export async function hasRows(store: ObjectStore, run: RunParts): Promise<boolean> {
  const found = await Promise.all([
    store.describe(bucketLayout.plan(run)),
    store.describe(bucketLayout.shards(run)),
    store.describe(bucketLayout.rows(run, 0)),
  ]);
  return found.every((object) => object !== undefined);
}
