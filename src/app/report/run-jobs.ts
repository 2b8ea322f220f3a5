import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import type { ReportJob } from '../../report/report.ts';
import { JobRecord } from '../../transform/job-record.ts';

/** The transform jobs of a run, in order. */
export async function readRunJobs(store: ObjectStore, run: RunParts): Promise<ReportJob[]> {
  const jobs: JobRecord[] = [];
  for await (const { key } of store.list(`${bucketLayout.run(run)}jobs/`)) {
    if (!key.endsWith('/job.json')) continue;
    const text = await store.readText(key);
    if (text !== undefined) jobs.push(JobRecord.parse(JSON.parse(text)));
  }
  return jobs.sort((a, b) => a.attempt - b.attempt).map(toReportJob);
}

function toReportJob(job: JobRecord): ReportJob {
  return {
    name: job.jobName,
    status: job.status,
    instanceType: job.instanceType,
    instanceCount: job.instanceCount,
    objects: job.objects,
    startedAt: job.startedAt ?? null,
    endedAt: job.endedAt ?? null,
    costUsd: job.costUsd,
    failureReason: job.failureReason ?? null,
  };
}
