import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { toPlannedRecord } from '../../plan/planned-record.ts';
import type { RunParts } from '../../run/run-id.ts';
import { writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';

/** Writes a run's plan, and the record of its first job. */
export async function writePlan(store: ObjectStore, run: RunParts, plan: Plan, at: Date): Promise<void> {
  await planJson(run).write(store, plan);
  const record = toPlannedRecord(plan, store.bucket, { attempt: 1, part: 1, at, outputsBefore: 0 });
  await writeJobRecord(store, run, record);
}
