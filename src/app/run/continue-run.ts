import { Condition } from '../../problem/conditions.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { frozenJson } from '../records/drop.ts';
import { hasManifest } from '../records/manifest.ts';
import { planJson } from '../records/plan.ts';
import { missingArchive } from './missing-archive.ts';
import { type Repeated, repeatManifest, type RepeatServices } from './repeat-manifest.ts';
import { requireRescorable } from './rescorable.ts';

/**
 * Predicts the inputs that a run of a sample has not drawn, by the same model, and judges all of them. For a rescore, it continues
 * the run that made the predictions. If that has been continued already, the continuation is the answer, however it was judged: it
 * can be scored again without paying for the rest twice.
 *
 * @throws `RunUnknown`, `StillRunning`, `PredictionsExpired`, `NothingToRescore` if there are no predictions of a sample
 * @throws `NothingToContinue` if nothing was left, or the rest can no longer be predicted
 */
export async function continueRun(
  { run: asked }: { readonly run: RunParts },
  services: RepeatServices,
): Promise<Repeated> {
  const { store } = services;
  const original = await requireRescorable(store, asked);
  const name = toRunId(original);
  const [frozen, plan] = await Promise.all([
    frozenJson(original).require(store),
    planJson(original).require(store),
  ]);
  if (plan.sample === null)
    throw nothing(`${name} has predicted all of its inputs: inferdrop rerun ${name} predicts them again`);
  if (!(await hasManifest(store, frozen)))
    throw nothing(
      `the files of ${name} have expired (stack parameter RunsRetentionDays): drop the files again`,
    );
  const missing = await missingArchive(store, plan);
  if (missing !== undefined)
    throw nothing(
      `${missing}, the model of ${name}, is not there any more: inferdrop rerun ${name} predicts with today's`,
    );
  return repeatManifest(original, { ...frozen, origin: { mode: 'continue', of: name } }, services);
}

function nothing(message: string): Condition {
  return new Condition('NothingToContinue', message);
}
