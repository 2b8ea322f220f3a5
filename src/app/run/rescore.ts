import { createHash } from 'node:crypto';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { forRescore } from '../../plan/rescored.ts';
import { PROGRAM } from '../../report/program.ts';
import { type RunParts, toRunId } from '../../run/run-id.ts';
import { readConfiguration } from '../plan/open/read-configuration.ts';
import { findBaseline } from '../plan/read/find-baseline.ts';
import { findDropFile, frozenJson } from '../records/drop.ts';
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

/**
 * SHA-256 of everything that would judge the predictions of a run today: the settings that a rescore obeys, the classes, the ETag
 * of the label file, the baseline that "last-passed" finds, and the release of this program. If two are equal, so are the reports.
 *
 * @param plan the plan that made the predictions
 */
async function judgedBy(store: ObjectStore, run: RunParts, plan: Plan): Promise<string> {
  const { config, classesText, labelsFile, judgedByDrop, problems } = forRescore(
    await readConfiguration(store, run, []),
    plan,
  );
  const truth = config?.labels.truth;
  const [labels, compared] = await Promise.all([
    truth?.from === 'file' ? findDropFile(store, run, truth.path) : undefined,
    config && findBaseline(store, run, config.report.baseline),
  ]);
  const decisive = {
    program: PROGRAM,
    config,
    classesText,
    labelsFile,
    judgedByDrop,
    problems,
    labels: labels?.found?.etag,
    baseline: compared?.baseline,
  };
  return createHash('sha256').update(JSON.stringify(decisive)).digest('hex');
}
