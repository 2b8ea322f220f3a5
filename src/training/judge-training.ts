import { TRAINING } from '../frameworks/trainings.ts';
import type { PipelineConfig } from '../pipeline/pipeline-config.ts';
import type { TrainingSettings } from '../pipeline/training-settings.ts';
import { type ResolvedPrices, resolvePrices } from '../plan/quote/resolve-cost.ts';
import type { PriceOverride } from '../price/price-override.ts';
import type { Problem } from '../problem/problem.ts';
import type { StackSettings, TrainingStack } from '../run/stack-settings.ts';
import type { AskedChannel } from './asked-channel.ts';
import { classNotes } from './class-notes.ts';
import { environmentProblems } from './environment-problems.ts';
import { hyperparameterProblems, type WrittenHyperparameters } from './hyperparameters.ts';
import { tagProblems } from './job-tags.ts';
import { type ChannelInputs, channelProblems } from './judge-channels.ts';
import { costProblems, judgeQuotas, quoteOf, spotNotes } from './judge-cost.ts';
import { distributionProblems, hostNotes } from './judge-distribution.ts';
import { judgeServing } from './judge-serving.ts';
import { type FoundSource, horovodProblems, sourceProblems } from './judge-source.ts';
import { metricProblems } from './log-metrics.ts';
import { settingProblem } from './setting-problem.ts';
import { stopProblems } from './stop-rule.ts';
import { resolveTrainingImage } from './training-image.ts';
import type { TrainingPlan } from './training-plan.ts';

/** The configuration files of a training. */
export interface TrainingConfiguration {
  readonly config: PipelineConfig;
  readonly training: TrainingSettings;
  /** Hyperparameters of pipeline.json, and of the drop's job.json if it has some. */
  readonly hyperparameters: readonly WrittenHyperparameters[];
  readonly channels: readonly AskedChannel[];
  readonly prices: PriceOverride | undefined;
}

/** Facts from source, drop, evaluation set and account. */
export interface TrainingFindings {
  readonly source: FoundSource;
  readonly inputs: ReadonlyMap<string, ChannelInputs>;
  /** Files of the drop by class: zeros if their classes aren't known. */
  readonly classes: Parameters<typeof classNotes>[0];
  /** The drop's folder, for messages. */
  readonly place: string;
  readonly isOwnFolder: boolean;
  /**
   * Places of files in the drop's folder that aren't the run's: job.json and marks of the upload at its root; anywhere,
   * hidden files, or files that arrived after the run that this one repeats.
   */
  readonly otherFiles: 'none' | 'at-root' | 'anywhere';
  /** Null if no evaluation is configured, and if there is a problem. */
  readonly evaluation: TrainingPlan['after']['evaluate'];
  /** Problem of the evaluation set, worded to follow the name of the field. */
  readonly evaluationProblem?: string | undefined;
  /** Quotas of SageMaker by their names; undefined if they could not be read. */
  readonly quotas: ReadonlyMap<string, number> | undefined;
}

/** A training with its references resolved, and its problems. */
export interface JudgedTraining {
  /** Undefined if there are problems. */
  readonly image: TrainingPlan['image'] | undefined;
  readonly prices: ResolvedPrices;
  readonly quoteUsd: number | null;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/** Judges all of a training at once. */
export function judgeTraining(
  configuration: TrainingConfiguration,
  findings: TrainingFindings,
  stack: TrainingStack,
): JudgedTraining {
  const { training, channels, config } = configuration;
  const { types } = training.instances;
  const image = resolveImage(training, stack.region);
  const prices = resolvePrices(
    {
      types,
      field: 'training.instances.types',
      bounds: [
        { field: 'training.maxCostUsd', usd: training.maxCostUsd },
        { field: 'limits.maxCostUsdPerDay', usd: config.limits.maxCostUsdPerDay },
      ],
    },
    stack.region,
    configuration.prices,
  );
  const quoteUsd = quoteOf(training, prices);
  const quotas = judgeQuotas(training, findings.quotas);
  const { place, isOwnFolder, inputs, source } = findings;
  const { networkIsolation } = training;
  const serving = judgeServing(training, source, config);
  return {
    image: image.image,
    prices,
    quoteUsd,
    notes: [
      ...prices.notes,
      ...quotas.notes,
      ...(training.spot === null ? [] : spotNotes(training)),
      ...hostNotes(training, channels, inputs),
      ...serving.notes,
      ...classNotes(findings.classes),
    ],
    problems: [
      ...image.problems,
      ...sourceProblems(training, source),
      ...serving.problems,
      ...(image.image === undefined ? [] : horovodProblems(training, source, image.image.horovod)),
      ...distributionProblems(training),
      ...configuration.hyperparameters.flatMap(hyperparameterProblems),
      ...channelProblems(channels, { found: inputs, place, isOwnFolder, networkIsolation }),
      ...metricProblems(training.metrics),
      ...stopProblems(training),
      ...environmentProblems(training.environment),
      ...tagProblems(training.tags, stack.resourceTags),
      ...timeProblems(training),
      ...vpcProblems(training, stack),
      ...prices.problems,
      ...costProblems(training, quoteUsd),
      ...quotas.problems,
      ...afterProblems(training, findings, config),
    ],
  };
}

function resolveImage(
  { framework, version, pyVersion, image, instances }: TrainingSettings,
  region: string,
): { readonly image: TrainingPlan['image'] | undefined; readonly problems: readonly Problem[] } {
  if (image !== null)
    return { image: { uri: image, framework, version, pyVersion: null, horovod: null }, problems: [] };
  const problems: Problem[] = [];
  const found = instances.types.flatMap((instanceType, at) => {
    const resolved = resolveTrainingImage({ framework, version, pyVersion, instanceType, region });
    if ('uri' in resolved) return [resolved];
    const [field, value] =
      resolved.field === 'instanceType'
        ? [`instances.types.${at}`, instanceType]
        : resolved.field === 'version'
          ? ['version', version]
          : ['pyVersion', pyVersion];
    const wrong = settingProblem(field, value, resolved.reason);
    if (!problems.some((known) => known.field === wrong.field)) problems.push(wrong);
    return [];
  });
  if (new Set(found.map(({ uri }) => uri)).size > 1) {
    const message =
      "must all run the same container, but some have a GPU and some don't: name one kind only, or give training.image";
    problems.push(settingProblem('instances.types', instances.types, message));
  }
  const [first] = found;
  if (first === undefined || problems.length > 0) return { image: undefined, problems };
  const { uri, pyVersion: resolvedPython } = first;
  return {
    image: {
      uri,
      framework,
      version,
      pyVersion: resolvedPython,
      horovod: TRAINING[framework].horovod(version, uri),
    },
    problems,
  };
}

function timeProblems({ spot, maxRunMinutes }: TrainingSettings): Problem[] {
  if (spot === null || spot.maxWaitMinutes >= maxRunMinutes) return [];
  const message =
    `must be at least training.maxRunMinutes ${maxRunMinutes}, is ${spot.maxWaitMinutes}: waiting and training are ` +
    'counted together';
  return [settingProblem('spot.maxWaitMinutes', spot.maxWaitMinutes, message)];
}

function vpcProblems({ vpc }: TrainingSettings, stack: StackSettings): Problem[] {
  if (vpc !== true || stack.vpc !== null) return [];
  return [
    settingProblem(
      'vpc',
      vpc,
      'must be null or false: the stack has no VPC; deploy it with the parameters VpcSubnetIds and VpcSecurityGroupIds',
    ),
  ];
}

function afterProblems(
  { after, framework }: TrainingSettings,
  { evaluationProblem }: TrainingFindings,
  { model }: Pick<PipelineConfig, 'model'>,
): Problem[] {
  const problems: Problem[] = [];
  if (evaluationProblem !== undefined)
    problems.push(settingProblem('after.evaluate', after.evaluate, evaluationProblem));
  if (after.promote === 'when-gate-passes' && after.evaluate === null)
    problems.push(
      settingProblem(
        'after.promote',
        after.promote,
        'needs training.after.evaluate, which is null: no gate is judged without an evaluation; name an evaluation set, or set it to "ask"',
      ),
    );
  if (after.promote !== 'never' && model.artifact !== null)
    problems.push(
      settingProblem(
        'after.promote',
        after.promote,
        'must be "never" where model.artifact is set: a promoted model is written next to pipeline.json, and the ' +
          `pipeline would go on with ${model.artifact}; set model.artifact to null to promote`,
      ),
    );
  if (after.evaluate !== null && model.artifact !== null)
    problems.push(
      settingProblem(
        'after.evaluate',
        after.evaluate,
        'must be null if model.artifact is set: a trained model is compared with the archive next to pipeline.json, ' +
          `and the pipeline runs ${model.artifact}; set one of them to null`,
      ),
    );
  if (after.evaluate !== null && framework !== model.framework)
    problems.push(
      settingProblem(
        'framework',
        framework,
        `must be model.framework ${model.framework} for an evaluation: the trained model is run in that container; ` +
          'correct one of them, or set training.after.evaluate to null',
      ),
    );
  return problems;
}
