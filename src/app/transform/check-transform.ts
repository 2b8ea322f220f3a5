import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { RunParts } from '../../run/run-id.ts';
import { InstanceCapacity } from '../../transform/instance-capacity.ts';
import { toJobName } from '../../transform/job-name.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonToStop } from '../../transform/limit-watch.ts';
import { pollWaitSeconds } from '../../transform/poll-wait.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { jobJson, writeJobRecord } from '../records/jobs.ts';
import { planJson } from '../records/plan.ts';
import { withTransformJob } from '../run/described-job.ts';
import { useCase } from '../use-case.ts';
import { hasWorked, readAttempts, toSpending } from './read-spending.ts';

/**
 * What the job is doing:
 *
 * - `running`: it is looked at again after `waitSeconds`; `progress` counts inputs with an output, by a sample where `approximate`
 * - `ended`: outputs are compared whatever its status, since those of a failed job count too
 * - `no-capacity`: nothing ran; the next attempt tries other hardware
 */
const Output = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('running'),
    waitSeconds: z.int().min(1),
    poll: z.int().min(1),
    progress: z.object({ done: z.int(), total: z.int(), approximate: z.boolean() }),
  }),
  z.object({ status: z.literal('ended'), jobStatus: z.enum(['Completed', 'Failed', 'Stopped']) }),
  z.object({ status: z.literal('no-capacity'), attempt: z.int() }),
]);

interface CheckTransformServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'describeTransformJob' | 'stopTransformJob'>;
  readonly clock: () => Date;
}

/**
 * State `CheckTransform`: describes the running job, records its cost, and stops it past the run's limits.
 *
 * @throws {InstanceCapacity} where the plan names no further instance type, and no job has run
 * @throws {TransformJobMissing}
 */
export const checkTransform = useCase({
  /** Sent by state `CheckTransform`; `poll` is how often the job was looked at. */
  input: z.object({
    run: RunParts,
    attempt: z.int().min(1),
    poll: z.int().nonnegative(),
  }),
  output: Output,
})(async ({ run, attempt, poll }, { store, sagemaker, clock }: CheckTransformServices) => {
  const [plan, record] = await Promise.all([
    planJson(run).require(store),
    jobJson(run, attempt).require(store),
  ]);
  const job = await sagemaker.describeTransformJob(record.jobName);
  if (job === undefined)
    throw new Condition('TransformJobMissing', `SageMaker has no transform job ${record.jobName}`);
  const now = clock();
  const seen = withTransformJob(record, job, plan, now);

  if (job.status === 'Completed' || job.status === 'Failed' || job.status === 'Stopped') {
    await writeJobRecord(store, run, seen);
    if (seen.capacity !== true) return { status: 'ended', jobStatus: job.status };
    return moveOn(store, run, { plan, seen, now });
  }

  const attempts = [...(await readAttempts(store, run, attempt - 1)), seen];
  const reason = reasonToStop(toSpending(attempts, plan, now));
  const stopping = job.status === 'Stopping' || seen.stopReason !== undefined;
  const noted = reason !== undefined && !stopping ? { ...seen, stopReason: reason } : seen;
  // The record comes first: if this Lambda ends here, the next call still stops the job.
  if (
    noted.status !== record.status ||
    noted.stopReason !== record.stopReason ||
    noted.startedAt !== record.startedAt
  ) {
    await writeJobRecord(store, run, noted);
  }
  if (noted.stopReason !== undefined && job.status !== 'Stopping')
    await sagemaker.stopTransformJob(record.jobName);
  const progress = await openOutputs(store, run, plan.input.prefix).count(seen, plan);
  const runSeconds = (now.getTime() - Date.parse(plan.createdAt)) / 1000;
  return { status: 'running', waitSeconds: pollWaitSeconds(poll, runSeconds), poll: poll + 1, progress };
});

/** The same inputs again on the plan's next instance type, if there is one. */
async function moveOn(
  store: ObjectStore,
  run: RunParts,
  { plan, seen, now }: { readonly plan: Plan; readonly seen: JobRecord; readonly now: Date },
): Promise<z.infer<typeof Output>> {
  const { instanceTypes } = plan.transform;
  const instanceType = instanceTypes[instanceTypes.indexOf(seen.instanceType) + 1];
  if (instanceType === undefined) {
    const none = new InstanceCapacity(instanceTypes, [seen.failureReason ?? 'no capacity']);
    if (!hasWorked(await readAttempts(store, run, seen.attempt))) throw none;
    // Predictions of the earlier jobs are scored; the other inputs are listed with this reason.
    await writeJobRecord(store, run, { ...seen, stopReason: none.message });
    return { status: 'ended', jobStatus: 'Failed' };
  }
  const attempt = seen.attempt + 1;
  const {
    capacity: _capacity,
    failureReason: _failure,
    startedAt: _started,
    endedAt: _ended,
    ...same
  } = seen;
  await writeJobRecord(store, run, {
    ...same,
    attempt,
    instanceType,
    jobName: toJobName({ bucket: store.bucket, run: plan.run, plannedAt: plan.createdAt, attempt }),
    status: 'Planned',
    createdAt: now.toISOString(),
    costUsd: null,
  });
  return { status: 'no-capacity', attempt };
}
