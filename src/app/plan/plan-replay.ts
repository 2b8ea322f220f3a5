import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { toPlannedRecord } from '../../plan/planned-record.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { copySample } from '../records/inputs.ts';
import { writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';

/**
 * Makes the plan of a run that repeats another one: that run's own plan, without deployment, and with the repeated run as baseline. Today's
 * pipeline.json is not read.
 */
export async function planReplay(
  store: ObjectStore,
  run: RunParts,
  { original, at }: { readonly original: Plan; readonly at: Date },
): Promise<Plan> {
  const { run: of } = original;
  await copySample(store, run, RunParts.parse(of));
  const jobs = await Promise.all(
    original.jobs.map(async (job) => {
      const input = bucketLayout.partInput(run, job.part);
      await store.copy({ bucket: store.bucket, key: job.input }, input);
      return { ...job, input };
    }),
  );
  const plan: Plan = {
    ...original,
    run: toRunId(run),
    createdAt: at.toISOString(),
    report: { ...original.report, baseline: { asked: 'replay', run: of } },
    predictions: null,
    endpoint: null,
    notes: [`replay of ${of}: its plan, model and inputs; nothing is deployed`, ...original.notes],
    jobs,
  };
  await writePlan(store, run, plan, at);
  return plan;
}

/** Writes a run's plan, and the record of its first job. */
export async function writePlan(store: ObjectStore, run: RunParts, plan: Plan, at: Date): Promise<void> {
  await planJson(run).write(store, plan);
  const record = toPlannedRecord(plan, store.bucket, { attempt: 1, part: 1, at, outputsBefore: 0 });
  await writeJobRecord(store, run, record);
}
