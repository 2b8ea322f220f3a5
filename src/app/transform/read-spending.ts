import type { ObjectStore } from '../../aws/object-store.ts';
import type { RunParts } from '../../drop/run-id.ts';
import type { Plan } from '../../plan/plan.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import type { Spending } from '../../transform/limit-watch.ts';
import { readJobRecord } from '../run/run-file.ts';

/** What the first so many attempts of a run cost, and how long it has taken since it was planned. */
export async function readSpending(
  store: ObjectStore,
  run: RunParts,
  { plan, attempts, now }: { readonly plan: Plan; readonly attempts: number; readonly now: Date },
): Promise<Spending> {
  return toSpending(await readAttempts(store, run, attempts), plan, now);
}

/** Records of the first so many attempts, in order. */
export async function readAttempts(
  store: ObjectStore,
  run: RunParts,
  attempts: number,
): Promise<JobRecord[]> {
  return Promise.all(Array.from({ length: attempts }, (_, index) => readJobRecord(store, run, index + 1)));
}

/** Sums up records of attempts; a cost that is not known makes the sum unknown. */
export function toSpending(records: readonly JobRecord[], plan: Plan, now: Date): Spending {
  const costUsd = records.reduce<number | null>(
    (sum, record) => (sum === null || record.costUsd === null ? null : sum + record.costUsd),
    0,
  );
  const { maxCostUsd, maxRuntimeMinutes } = plan.limits;
  const runtimeMinutes = (now.getTime() - Date.parse(plan.createdAt)) / 60_000;
  return { costUsd, runtimeMinutes, maxCostUsd, maxRuntimeMinutes };
}
