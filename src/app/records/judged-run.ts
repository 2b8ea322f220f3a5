import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { PlannedModel } from '../../plan/planned-model.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** Which fields of job.json, and which pipeline.json, judged the run, and by which of its inputs. */
export const judgedByJson = jsonDocument({
  key: bucketLayout.plan,
  schema: z.object({
    judgedByDrop: z.array(z.string()),
    judging: z.string().nullable(),
    sample: z.object({ inputs: z.int(), of: z.int(), file: z.string() }).nullable(),
  }),
  write: 'elsewhere',
});

/** Which archive the run used, and which a person gave for it. */
export const usedModelJson = jsonDocument({
  key: bucketLayout.plan,
  schema: z.object({ model: PlannedModel.pick({ sha256: true, served: true, given: true }) }),
  write: 'elsewhere',
});

/** Whether a run left rows to compare with, and retention has not taken them. */
export async function hasRows(store: ObjectStore, run: RunParts): Promise<boolean> {
  const found = await Promise.all([
    store.describe(bucketLayout.plan(run)),
    store.describe(bucketLayout.shards(run)),
    store.describe(bucketLayout.rows(run, 0)),
  ]);
  return found.every((object) => object !== undefined);
}
