import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { PlanRefused } from '../../../plan/refused.ts';
import type { Problem } from '../../../problem/problem.ts';
import type { RunParts } from '../../../run/run-id.ts';
import { problemsJson } from '../../records/run.ts';

/** Refuses the plan of a run. */
export async function refusePlan(
  store: ObjectStore,
  run: RunParts,
  problems: readonly Problem[],
): Promise<never> {
  await problemsJson(run).write(store, { schema: 1, problems });
  throw new PlanRefused(run, problems);
}
