import type { ObjectStore } from '../../aws/object-store.ts';
import type { SageMaker } from '../../aws/sagemaker.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { JobRecord } from '../../transform/job-record.ts';

export interface StopLeftJobsServices {
  readonly store: ObjectStore;
  readonly sagemaker: Pick<SageMaker, 'describeTransformJob' | 'stopTransformJob'>;
  readonly clock: () => Date;
}

/**
 * Stops the transform jobs that the ended execution of a run has left running, and gives their names. A job is known by its
 * record, which is written before it starts.
 */
export async function stopLeftJobs(
  run: RunParts,
  { store, sagemaker, clock }: StopLeftJobsServices,
): Promise<string[]> {
  const stopped: string[] = [];
  for await (const { key } of store.list(bucketLayout.jobs(run))) {
    if (!key.endsWith('/job.json')) continue;
    const text = await store.readText(key);
    const record = JobRecord.parse(JSON.parse(text ?? 'null'));
    if (record.endedAt !== undefined) continue;
    const job = await sagemaker.describeTransformJob(record.jobName);
    if (job?.status !== 'InProgress') continue;
    await sagemaker.stopTransformJob(record.jobName);
    const stopping = {
      ...record,
      status: 'Stopping',
      stopReason: `its execution ended at ${clock().toISOString()}`,
    };
    await store.write(key, JSON.stringify(stopping), { contentType: 'application/json' });
    stopped.push(record.jobName);
  }
  return stopped;
}
