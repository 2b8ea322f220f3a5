import type { ObjectStore } from '../../aws/object-store.ts';
import type { ReportJob } from '../../report/report.ts';
import type { RunParts } from '../../run/run-id.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { listJobRecords } from '../records/jobs.ts';

/** The jobs of a run, in order. */
export async function readRunJobs(store: ObjectStore, run: RunParts): Promise<ReportJob[]> {
  const jobs = await Array.fromAsync(listJobRecords(store, run));
  return jobs.sort((a, b) => a.attempt - b.attempt).map(toReportJob);
}

function toReportJob(job: JobRecord): ReportJob {
  return {
    name: job.jobName,
    status: job.status,
    hardware: engineRules(job.engine).hardware(job.engine),
    objects: job.objects,
    startedAt: job.startedAt ?? null,
    endedAt: job.endedAt ?? null,
    costUsd: job.costUsd,
    failureReason: job.failureReason ?? null,
  };
}
