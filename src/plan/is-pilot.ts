import type { JobRecord } from '../transform/job-record.ts';
import type { Plan } from './plan.ts';

/** Whether an attempt is the pilot of its run; a first bundle is one only if the run was to have a pilot anyway. */
export function isPilot(
  { jobs, firstBundle }: Pick<Plan, 'jobs' | 'firstBundle'>,
  { kind, part }: Pick<JobRecord, 'kind' | 'part'>,
): boolean {
  return kind === 'part' && jobs[part - 1]?.pilot === true && firstBundle?.isPilot !== false;
}

/** Whether an attempt is the first bundle of a run, with an archive that nobody has seen answering one. */
export function isFirstBundle(
  { firstBundle }: Pick<Plan, 'firstBundle'>,
  { kind, part }: Pick<JobRecord, 'kind' | 'part'>,
): boolean {
  return firstBundle !== null && firstBundle.refused === null && kind === 'part' && part === 1;
}
