import { toJobName } from '../transform/job-name.ts';
import type { JobRecord } from '../transform/job-record.ts';
import type { Plan } from './plan.ts';

/** The record of an attempt that carries out one of the plan's jobs, before it starts. */
export function toPlannedRecord(
  plan: Plan,
  bucket: string,
  {
    attempt,
    part,
    at,
    outputsBefore,
  }: { readonly attempt: number; readonly part: number; readonly at: Date; readonly outputsBefore: number },
): JobRecord {
  const job = plan.jobs[part - 1];
  if (job === undefined) throw new RangeError(`plan has no job ${part}`);
  const { objects, firstKey, lastKey, sample, input, engine } = job;
  return {
    schema: 1,
    run: plan.run,
    attempt,
    kind: 'part',
    part,
    jobName: toJobName({ bucket, run: plan.run, plannedAt: plan.createdAt, attempt }),
    engine,
    input,
    objects,
    firstKey,
    lastKey,
    outputsBefore,
    sample,
    status: 'Planned',
    createdAt: at.toISOString(),
    costUsd: null,
  };
}
