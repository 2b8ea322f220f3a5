import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { parsePipelineConfig } from '../../pipeline/parse-config.ts';
import { givenArchive } from '../../plan/endpoint/served-archive.ts';
import { resolveSlices } from '../../plan/judge/resolve-slices.ts';
import { roundUsd } from '../../price/round-usd.ts';
import { Condition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseGeneration } from '../../run/generation.ts';
import { parseRunId, RunId, RunParts, toRunId } from '../../run/run-id.ts';
import type { Clusters } from '../../slice/dimension.ts';
import { dollars } from '../../text/figures.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { tableSettings } from '../inputs/opened-columns.ts';
import { hasRows, usedModelJson } from '../records/judged-run.ts';
import { newestRuns } from '../records/run-index.ts';
import { setAsideJson } from '../records/set-aside.ts';
import type { IndexSettings } from '../records/tars.ts';
import { evaluationJson, registeredJson } from '../records/training.ts';
import { lastTrainingJob } from '../records/training-jobs.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { keepArchive } from '../run/keep-archive.ts';
import { useCase } from '../use-case.ts';
import type { LookingServices } from './find-near-duplicates.ts';
import { judgeModel, type Judging, type JudgingServices } from './judging-run.ts';
import { findTrainedOn } from './trained-on.ts';

/** Cap on the index entries searched for a run of the incumbent, or for its training, newest first. */
const MAX_ENTRIES = 1_000;
const READS_AT_ONCE = 16;

/**
 * State `EvaluateModel`: has the registered model judged by a run over the frozen evaluation set, and compares it with a run of the model
 * that the pipeline had when the training was planned; that model runs first if it has not judged the same files yet.
 *
 * @throws `EvaluationFailed` if one of the runs ends without predictions, or the training's cap leaves nothing for it
 */
export const evaluateModel = useCase({
  /** Sent by state `EvaluateModel`, and again after each wait for a judging run. */
  input: z.object({ run: RunParts }),
  /** `waiting` until the judging runs have ended; `candidateRun` is the one that judged the new model, null without an evaluation. */
  output: z.discriminatedUnion('status', [
    z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
    z.object({
      status: z.literal('evaluated'),
      /** The gate's verdict; `none` also if there was nothing to evaluate. */
      verdict: z.enum(['passed', 'failed', 'none']),
      candidateRun: RunId.nullable(),
    }),
  ]),
})(async ({ run }, services: JudgingServices & LookingServices) => {
  const { store } = services;
  const [plan, registered] = await Promise.all([
    trainingPlanJson(run).require(store),
    registeredJson(run).require(store),
  ]);
  const { evaluate } = plan.after;
  if (evaluate === null) return { status: 'evaluated', verdict: 'none', candidateRun: null };
  const judged = parseRunId(evaluate.run);
  if (judged === undefined) throw new RangeError(`Cannot evaluate by ${evaluate.run}: it is not a run`);
  if ((await evaluationJson(run).read(store)) === undefined) {
    const incumbent = await trainingOf(store, run.pipeline, plan.incumbent?.sha256);
    const settings = await settingsOf(store, run);
    const { setAside, ...shared } = await findTrainedOn(services, run, { judged, incumbent, ...settings });
    await setAsideJson(run).write(store, { schema: 1, ...setAside });
    await evaluationJson(run).create(store, { schema: 1, incumbentRun: null, candidateRun: null, ...shared });
  }
  const trainingUsd = (await lastTrainingJob(store, run))?.costUsd ?? 0;
  const incumbent = await judgeIncumbent({ run, plan, judged, trainingUsd }, services);
  if (incumbent?.status === 'waiting') return incumbent;
  const spentUsd = trainingUsd + (incumbent?.isOwn === true ? (incumbent.figures.costUsd ?? 0) : 0);
  const candidate = {
    sha256: registered.sha256,
    training: toRunId(run),
    baseline: incumbent?.run ?? null,
    maxCostUsd: leftOf(plan, spentUsd),
  };
  const judging = await judgeModel(run, { place: 'candidateRun', judged, candidate }, services);
  if (judging.status === 'waiting') return judging;
  return { status: 'evaluated', verdict: judging.figures.gate.verdict, candidateRun: judging.run };
});

/** The run to compare with; undefined if the pipeline had no model. */
async function judgeIncumbent(
  {
    run,
    plan,
    judged,
    trainingUsd,
  }: {
    readonly run: RunParts;
    readonly plan: TrainingPlan;
    readonly judged: RunParts;
    readonly trainingUsd: number;
  },
  services: JudgingServices,
): Promise<Judging | undefined> {
  const { store } = services;
  const { incumbent } = plan;
  if (incumbent === null) return undefined;
  const { sha256, etag } = incumbent;
  const known = (await evaluationJson(run).read(store))?.incumbentRun;
  const found = known === null ? await findJudged(store, judged, sha256) : undefined;
  if (known === null && found === undefined) {
    const key = bucketLayout.pipelineModel(run.pipeline);
    if (!(await keepArchive(store, sha256, { bucket: store.bucket, key, etag })))
      throw new Condition(
        'EvaluationFailed',
        `s3://${store.bucket}/${key} was replaced after the training had been planned, and no run has used what was ` +
          'there: rerun the training to compare with the model of today',
      );
  }
  const candidate = {
    sha256,
    training: toRunId(run),
    baseline: null,
    maxCostUsd: leftOf(plan, trainingUsd),
  };
  return judgeModel(run, { place: 'incumbentRun', judged, candidate, found }, services);
}

/** The newest run over the same manifest with a model of the digest; undefined if there is none. */
async function findJudged(store: ObjectStore, judged: RunParts, sha256: string): Promise<string | undefined> {
  const manifest = parseGeneration(judged.generation)?.number;
  for await (const { run: name, status } of newestRuns(store, 'inference', judged.pipeline, MAX_ENTRIES)) {
    const run = parseRunId(name);
    if (run === undefined || run.drop !== judged.drop || !status.startsWith('completed')) continue;
    if (parseGeneration(run.generation)?.number !== manifest || !(await hasRows(store, run))) continue;
    const { model } = await usedModelJson(run).require(store);
    if (givenArchive(model).sha256 === sha256) return name;
  }
  return undefined;
}

/** The newest training that made the archive of a digest, if its manifest has not expired. */
async function trainingOf(
  store: ObjectStore,
  pipeline: string,
  sha256: string | undefined,
): Promise<RunParts | undefined> {
  if (sha256 === undefined) return undefined;
  const trainings = newestRuns(store, 'training', pipeline, MAX_ENTRIES);
  const made = inOrder(trainings, READS_AT_ONCE, async ({ run: name }) => {
    const run = parseRunId(name);
    return run && { run, sha256: (await registeredJson(run).read(store))?.sha256 };
  });
  for await (const [, training] of made)
    if (
      training?.sha256 === sha256 &&
      (await store.describe(bucketLayout.manifest(training.run))) !== undefined
    )
      return training.run;
  return undefined;
}

/**
 * The groups of pipeline.json, null if it sets none, or files and tars as groups, which are compared as files anyway; and
 * how it opens files.
 */
async function settingsOf(
  store: ObjectStore,
  { pipeline }: RunParts,
): Promise<{ readonly clusters: Clusters | null; readonly table: IndexSettings['table'] }> {
  const parsed = parsePipelineConfig((await store.readText(bucketLayout.pipelineConfig(pipeline))) ?? '');
  const config = 'value' in parsed ? parsed.value : parsed.repaired;
  if (config === undefined) return { clusters: null, table: null };
  const { clusters, problems } = resolveSlices(config);
  const isGrouped = problems.length === 0 && clusters?.by.length !== 0;
  return { clusters: isGrouped ? clusters : null, table: tableSettings(config) };
}

/** US dollars left below the training's cap; null without a cap. */
function leftOf({ limits }: TrainingPlan, spentUsd: number): number | null {
  if (limits.maxCostUsd === null) return null;
  const leftUsd = roundUsd(limits.maxCostUsd - spentUsd);
  if (leftUsd > 0) return leftUsd;
  throw new Condition(
    'EvaluationFailed',
    `training.maxCostUsd (${dollars(limits.maxCostUsd)}) leaves nothing for the evaluation: ${dollars(spentUsd)} are ` +
      'spent. Raise it in pipeline.json',
  );
}
