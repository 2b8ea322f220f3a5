import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { totalCostUsd } from '../../price/quote.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { reasonByErrors, type Spending } from '../../transform/limit-watch.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { jobJson } from '../records/jobs.ts';

/** Records of the first attempts, in order. */
export async function readAttempts(
  store: ObjectStore,
  run: RunParts,
  attempts: number,
): Promise<JobRecord[]> {
  return Promise.all(Array.from({ length: attempts }, (_, index) => jobJson(run, index + 1).require(store)));
}

/** Whether one of them had an instance, so that it may have left outputs that count. */
export function hasWorked(records: readonly JobRecord[]): boolean {
  return records.some(({ capacity, kind }) => capacity !== true && kind !== 'first-bundle');
}

/** Why the run need not go on, by its jobs' outputs so far; inputs that are never sent are errors. */
export function tooManyErrors(
  records: readonly JobRecord[],
  { limits, gate, objects, excluded, transform }: Plan,
): string | undefined {
  const left = Object.values(excluded).reduce((sum, count) => sum + count, 0);
  const sum = (of: (heads: NonNullable<JobRecord['heads']>) => number): number =>
    records.reduce((total, { heads }) => total + (heads === undefined ? 0 : of(heads)), 0);
  const refused = sum((heads) => heads.refused);
  return reasonByErrors({
    settled: left + refused + sum((heads) => heads.answered),
    errors: left + refused,
    asked: objects + left,
    mostErrors: limits.mostErrors,
    maxErrorRate: gate?.maxErrorRate,
    noun: opensFiles(transform) ? 'records' : 'inputs',
  });
}

/**
 * Sums up the records of attempts that were started; one unknown cost makes the sum unknown. The time counts from the first job: until then
 * the run waits for an instance, at most as long again.
 */
export function toSpending(records: readonly JobRecord[], plan: Plan, now: Date): Spending {
  const { maxCostUsd, maxRuntimeMinutes } = plan.limits;
  const since = records[0]?.createdAt ?? plan.createdAt;
  const runtimeMinutes = (now.getTime() - Date.parse(since)) / 60_000;
  return { costUsd: totalCostUsd(records), runtimeMinutes, maxCostUsd, maxRuntimeMinutes };
}
