import * as z from 'zod';
import type { ServiceQuotas } from '../../aws/account/service-quotas.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { MARKS } from '../../drop/drop-key.ts';
import type { Frozen } from '../../drop/frozen.ts';
import { LimitSettings } from '../../pipeline/limit-settings.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import type { TrainingSettings } from '../../pipeline/training-settings.ts';
import { writtenProblems } from '../../plan/judge/judge-configuration.ts';
import { eachOnce } from '../../problem/each-once.ts';
import type { Problem } from '../../problem/problem.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isRepetition, parseGeneration } from '../../run/generation.ts';
import { RunParts } from '../../run/run-id.ts';
import type { TrainingStack } from '../../run/stack-settings.ts';
import { askedChannels } from '../../training/asked-channel.ts';
import { buildTrainingPlan } from '../../training/build-training-plan.ts';
import {
  judgeTraining,
  type TrainingConfiguration,
  type TrainingFindings,
} from '../../training/judge-training.ts';
import { stopTexts } from '../../training/stop-rule.ts';
import { reserveQuote, takeTurn } from '../plan/pipeline-limits.ts';
import { refusePlan } from '../plan/write/refuse-plan.ts';
import { frozenJson, hasDropFile } from '../records/drop.ts';
import { trainingPlanJson } from '../records/training-plan.ts';
import { useCase } from '../use-case.ts';
import { findChannelInputs, writeChannelInputs } from './channel-inputs.ts';
import { countClasses } from './count-classes.ts';
import { findCheckpoints } from './find-checkpoints.ts';
import { findIncumbent } from './find-incumbent.ts';
import { findSource, sourcePrefix } from './find-source.ts';
import { freezeEvaluation } from './freeze-evaluation.ts';
import { type ReadTrainingConfiguration, readTrainingConfiguration } from './read-training-configuration.ts';

/** Services and settings of the planning; the role of `settings` is the one that training jobs run under. */
export interface PlanTrainingServices {
  readonly store: ObjectStore;
  readonly quotas: ServiceQuotas;
  readonly clock: () => Date;
  /** A random UUID. */
  readonly newId: () => string;
  readonly settings: TrainingStack;
}

/**
 * State `PlanTraining`: resolves pipeline.json and job.json into the plan of a training.
 *
 * SageMaker has not been called yet, and all problems are reported together. If the pipeline has its maximum of runs under way,
 * nothing is read, and the training waits.
 *
 * @throws {PlanRefused} after the problems have been written to the run's problems.json
 */
export const planTraining = useCase({
  /** Sent by state `PlanTraining`, and again after each wait for a turn. */
  input: z.object({ run: RunParts }),
  /** `waiting`: the pipeline has `limits.maxConcurrentRuns` under way, or other runs were faster to write its ledger. */
  output: z.discriminatedUnion('status', [
    z.object({
      status: z.literal('planned'),
      /** Null if the price of the instance is not known. */
      costQuoteUsd: z.number().nullable(),
      /** Sentences for people before they pay for it. */
      notes: z.array(z.string()),
    }),
    z.object({ status: z.literal('waiting'), waitSeconds: z.int().positive() }),
  ]),
})(async ({ run }, services: PlanTrainingServices) => {
  const { store, clock, newId, settings } = services;
  const [frozen, read] = await Promise.all([
    frozenJson(run).require(store),
    readTrainingConfiguration(store, run),
  ]);
  const written = [...writtenProblems(run.drop, frozen.problems, read), ...missingTraining(read.config)];
  const limits = read.config?.limits ?? LimitSettings.parse({});
  const turn = written.length > 0 ? 'taken' : await takeTurn(store, run, limits, clock());
  if (turn !== 'taken') return { status: 'waiting', ...turn };
  const { config } = read;
  const training = config?.training ?? null;
  if (config === undefined || training === null) return refusePlan(store, run, written);

  const configuration = toConfiguration(config, training, read);
  const [findings, incumbent] = await Promise.all([
    gatherFindings(run, frozen, configuration, services),
    findIncumbent(store, run.pipeline, training.after.promote),
  ]);
  const { image, ...judged } = judgeTraining(configuration, findings, settings);
  const problems = eachOnce([...written, ...judged.problems]);
  if (problems.length > 0 || image === undefined) return refusePlan(store, run, problems);

  const { quoteUsd } = judged;
  const reserved = await reserveQuote(store, run, limits, quoteUsd, clock());
  if ('waitSeconds' in reserved) return { status: 'waiting', ...reserved };
  const plan = buildTrainingPlan({
    run,
    createdAt: clock(),
    bucket: store.bucket,
    frozen,
    configuration,
    findings,
    judged,
    image,
    stack: settings,
    sourcePrefix: sourcePrefix(run.pipeline, training.sourceDir),
    incumbent,
    id: newId(),
    earlierCheckpoints: await findCheckpoints(store, run, frozen),
    leftUsd: reserved.leftUsd,
  });
  await writeChannelInputs(store, run, configuration.channels, { drop: frozen, planned: plan.channels });
  await trainingPlanJson(run).write(store, plan);
  const stops = plan.metrics.length === 0 ? [] : stopTexts(plan.stop);
  return { status: 'planned', costQuoteUsd: quoteUsd, notes: [...stops, ...plan.notes] };
});

function missingTraining(config: PipelineConfig | undefined): Problem[] {
  if (config === undefined || config.training !== null) return [];
  const message =
    'is missing: say in it what trains, at least {"framework": "tensorflow", "version": "2.19", "entryPoint": ' +
    '"train.py"}, or drop files to predict under incoming/';
  return [{ file: 'pipeline.json', field: 'training', value: '', message }];
}

function toConfiguration(
  config: PipelineConfig,
  training: TrainingSettings,
  { job, prices }: ReadTrainingConfiguration,
): TrainingConfiguration {
  const ofDrop = job?.hyperparameters;
  return {
    config,
    training,
    hyperparameters: [
      { file: 'pipeline.json', field: 'training.hyperparameters', values: training.hyperparameters },
      ...(ofDrop === undefined
        ? []
        : [{ file: 'job.json' as const, field: 'hyperparameters', values: ofDrop }]),
    ],
    channels: askedChannels(training),
    prices,
  };
}

async function gatherFindings(
  run: RunParts,
  frozen: Frozen,
  { config, training, channels }: TrainingConfiguration,
  { store, quotas, settings, clock, newId }: PlanTrainingServices,
): Promise<TrainingFindings> {
  const [source, inputs, classes, evaluation, readQuotas] = await Promise.all([
    findSource(store, run.pipeline, training.sourceDir),
    findChannelInputs(store, run, channels, { drop: frozen, readBuckets: settings.readBuckets }),
    countClasses(store, run, config.labels, frozen),
    freezeEvaluation(run.pipeline, training.after.evaluate, { store, clock, newId }),
    // Quotas only allow an earlier warning than SageMaker's: the plan notes that they are unknown.
    quotas('sagemaker').catch(() => undefined),
  ]);
  return {
    source,
    inputs,
    classes,
    place: `s3://${frozen.sourceBucket}/${frozen.sourcePrefix}`,
    isOwnFolder: isOwnFolder(run, frozen),
    otherFiles: await otherFiles(store, run, frozen),
    evaluation: evaluation.evaluation,
    evaluationProblem: 'problem' in evaluation ? evaluation.problem : undefined,
    quotas: readQuotas,
  };
}

/**
 * Whether the run's files are all files below the drop's folder: true for the first generation of a drop with a folder of its own,
 * false for later generations, for the default drop (its folder holds the others), and for inputs that job.json states.
 */
function isOwnFolder(run: RunParts, { sourcePrefix: prefix, statedBy }: Frozen): boolean {
  return (
    parseGeneration(run.generation)?.number === 1 &&
    statedBy === undefined &&
    prefix === bucketLayout.dropFolder(run)
  );
}

async function otherFiles(
  store: ObjectStore,
  run: RunParts,
  { hidden }: Frozen,
): Promise<TrainingFindings['otherFiles']> {
  if (isRepetition(run.generation) || hidden !== undefined) return 'anywhere';
  const own = await Promise.all(
    ['job.json', ...Object.values(MARKS)].map((name) => hasDropFile(store, run, name)),
  );
  return own.includes(true) ? 'at-root' : 'none';
}
