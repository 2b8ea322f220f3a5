import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import type { RunParts } from '../../run/run-id.ts';
import { listJobRecords, writeJobRecord } from '../records/job.ts';

export interface StopLeftJobsServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'describeTransformJob' | 'stopTransformJob'>;
  readonly clock: () => Date;
}

/**
 * Stops the transform jobs that the ended execution of a run has left running, and gives their names. A job is known by its
 * record, which is written before it starts. `isOver` is asked only if a job is left, which is rare.
 */
export async function stopLeftJobs(
  run: RunParts,
  { store, sagemaker, clock }: StopLeftJobsServices,
  isOver: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<string[]> {
  const stopped: string[] = [];
  for await (const record of listJobRecords(store, run)) {
    if (record.endedAt !== undefined) continue;
    const job = await sagemaker.describeTransformJob(record.jobName);
    if (job?.status !== 'InProgress' || !(await isOver())) continue;
    await sagemaker.stopTransformJob(record.jobName);
    const stopReason = `its execution ended at ${clock().toISOString()}`;
    await writeJobRecord(store, run, { ...record, status: 'Stopping', stopReason });
    stopped.push(record.jobName);
  }
  return stopped;
}
