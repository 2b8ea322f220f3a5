import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Frozen } from '../../drop/frozen.ts';
import type { Plan } from '../../plan/plan.ts';
import { Condition } from '../../problem/conditions.ts';
import { evaluationOf, parseRunId, type RunParts } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { hasManifest } from '../records/manifest.ts';
import { planJson } from '../records/plan.ts';
import { newestRuns } from '../records/run-index.ts';

/** Ended runs that are looked through. */
const MOST_RUNS = 100;

/** A run with a drop that a probe samples. */
export interface ProbedDrop {
  readonly run: RunParts;
  readonly frozen: Frozen;
  readonly plan: Plan;
}

/**
 * The newest ended run of a pipeline with files that are still listed.
 *
 * @throws `NothingToProbe`
 */
export async function newestDrop(store: ObjectStore, pipeline: string): Promise<ProbedDrop> {
  for await (const entry of newestRuns(store, 'inference', pipeline, MOST_RUNS)) {
    const run = parseRunId(entry.run);
    const frozen = run && evaluationOf(run.drop) === undefined && (await frozenJson(run).read(store));
    if (run === undefined || !frozen || frozen.candidate !== undefined || frozen.trial !== undefined)
      continue;
    const plan = await planJson(run).read(store);
    if (plan === undefined || plan.jobs.length === 0) continue;
    if (await hasManifest(store, frozen)) return { run, frozen, plan };
  }
  throw new Condition(
    'NothingToProbe',
    `${pipeline} has no ended run with files that are still listed, and a probe predicts a sample of the newest: drop ` +
      `files first with inferdrop drop FOLDER --pipeline ${pipeline} --wait`,
  );
}
