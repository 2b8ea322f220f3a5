import type { ReportJob } from '../../report/report.ts';
import { engineRules } from '../../transform/engine-rules.ts';
import type { JobRecord } from '../../transform/job-record.ts';

/** A job as the report lists it. */
export function toReportJob(job: JobRecord): ReportJob {
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
