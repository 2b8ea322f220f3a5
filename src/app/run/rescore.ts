import { type RunParts, toRunId } from '../../run/run-id.ts';
import { judgedBy } from '../plan/judged-by.ts';
import { frozenJson } from '../records/drop.ts';
import { planJson } from '../records/plan.ts';
import { type Repeated, repeatManifest, type RepeatServices } from './repeat-manifest.ts';
import { requireRescorable } from './rescorable.ts';

/**
 * Scores the predictions of a run again, with today's labels, classes, gate and report, and without any job. A run that failed
 * after its job was paid for also has predictions. A rescore of a rescore scores the run that made the predictions. If there's
 * already a rescore by the same labels and settings, it is the answer.
 *
 * @throws `RunUnknown`, `StillRunning`, `PredictionsExpired`, `NothingToRescore`
 */
export async function rescore(
  { run: asked }: { readonly run: RunParts },
  services: RepeatServices,
): Promise<Repeated> {
  const original = await requireRescorable(services.store, asked);
  const { store } = services;
  const [frozen, plan] = await Promise.all([
    frozenJson(original).require(store),
    planJson(original).require(store),
  ]);
  const origin = {
    mode: 'rescore',
    of: toRunId(original),
    judgedBy: await judgedBy(store, original, plan),
  } as const;
  return repeatManifest(original, { ...frozen, origin }, services);
}
