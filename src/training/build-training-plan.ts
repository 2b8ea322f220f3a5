import type { Frozen } from '../drop/frozen.ts';
import { tighter } from '../pipeline/limit-settings.ts';
import { judgingDigest } from '../pipeline/resolve-gate.ts';
import { bucketLayout } from '../run/bucket-layout.ts';
import { type RunParts, toRunId } from '../run/run-id.ts';
import type { StackSettings } from '../run/stack-settings.ts';
import type { AskedChannel } from './asked-channel.ts';
import { toHyperparameter } from './hyperparameters.ts';
import type { ChannelInputs } from './judge-channels.ts';
import type { JudgedTraining, TrainingConfiguration, TrainingFindings } from './judge-training.ts';
import type { PlannedChannel, TrainingPlan } from './training-plan.ts';

/** Checkpoints of the training that a rerun repeats. */
export interface EarlierCheckpoints {
  /** S3 URI of the checkpoints that it continues from; null if it begins without any. */
  readonly uri: string | null;
  /** Whether another training of the same files writes them. */
  readonly areInUse: boolean;
}

/** Facts that the plan of a training is made from. */
export interface TrainingPlanFacts {
  readonly run: RunParts;
  readonly createdAt: Date;
  /** The application's own bucket. */
  readonly bucket: string;
  readonly frozen: Pick<Frozen, 'objects' | 'bytes' | 'sourceBucket' | 'sourcePrefix'>;
  readonly configuration: TrainingConfiguration;
  readonly findings: TrainingFindings;
  readonly judged: Omit<JudgedTraining, 'image'>;
  readonly image: TrainingPlan['image'];
  readonly stack: StackSettings;
  /** Key prefix of the source folder. */
  readonly sourcePrefix: string;
  readonly incumbent: TrainingPlan['incumbent'];
  readonly id: string;
  readonly earlierCheckpoints: EarlierCheckpoints;
  /** US dollars that the day has left; null without a bound. */
  readonly leftUsd: number | null;
}

/** Makes the plan of a training. */
export function buildTrainingPlan(facts: TrainingPlanFacts): TrainingPlan {
  const { run, bucket, frozen, configuration, findings, judged, stack } = facts;
  const { training, channels, config } = configuration;
  const { instances, after } = training;
  return {
    schema: 1,
    run: toRunId(run),
    createdAt: facts.createdAt.toISOString(),
    region: stack.region,
    data: {
      bucket: frozen.sourceBucket,
      prefix: frozen.sourcePrefix,
      objects: frozen.objects,
      bytes: frozen.bytes,
    },
    image: facts.image,
    source: {
      prefix: facts.sourcePrefix,
      entryPoint: training.entryPoint,
      files: [...findings.source.files],
    },
    instances: { ...instances, kmsKeyArn: stack.kmsKeyArn },
    distribution: training.distribution,
    hyperparameters: plannedHyperparameters(configuration),
    inputMode: training.inputMode,
    channels: channels.map((channel) => plannedChannel(channel, facts)),
    metrics: Object.entries(training.metrics).map(([name, regex]) => ({ name, regex })),
    stop: training.stop,
    id: facts.id,
    checkpoints: training.checkpoints
      ? {
          uri: facts.earlierCheckpoints.uri ?? `s3://${bucket}/${bucketLayout.checkpoints(run, facts.id)}`,
        }
      : null,
    spot: training.spot && { maxWaitSeconds: Math.ceil(training.spot.maxWaitMinutes * 60) },
    vpc: training.vpc === false ? null : plannedVpc(stack),
    networkIsolation: training.networkIsolation,
    encryptInterContainerTraffic: training.encryptInterContainerTraffic,
    environment: training.environment,
    roleArn: stack.roleArn,
    tags: training.tags,
    limits: {
      maxCostUsd: tighter(training.maxCostUsd, facts.leftUsd),
      maxRunSeconds: Math.ceil(training.maxRunMinutes * 60),
      maxWaitSeconds: Math.ceil(config.limits.maxRuntimeMinutes * 60),
    },
    cost: plannedCost(judged),
    after: { evaluate: findings.evaluation, promote: after.promote, deploy: config.endpoint.deploy },
    judging: judgingDigest(config),
    incumbent: facts.incumbent,
    notes: [
      ...judged.notes,
      ...(training.checkpoints && facts.earlierCheckpoints.areInUse
        ? [
            'another training of these files is under way: this one keeps checkpoints of its own, and begins without any',
          ]
        : []),
    ],
  };
}

function plannedHyperparameters({ hyperparameters }: TrainingPlanFacts['configuration']) {
  const values = hyperparameters.flatMap((written) => Object.entries(written.values));
  return Object.fromEntries(values.map(([name, value]) => [name, toHyperparameter(value)]));
}

function plannedCost({ prices, quoteUsd }: TrainingPlanFacts['judged']): TrainingPlan['cost'] {
  const { pricesUsd, date: priceTableDate, source } = prices;
  return { pricesUsd, quoteUsd, priceTableDate, source };
}

function plannedVpc({ vpc }: StackSettings): TrainingPlan['vpc'] {
  return vpc && { subnets: [...vpc.subnets], securityGroups: [...vpc.securityGroups] };
}

function plannedChannel(
  asked: AskedChannel,
  { run, bucket, frozen, findings }: TrainingPlanFacts,
): PlannedChannel {
  const { field: _field, named: _named, path, ...channel } = asked;
  const inDrop = `s3://${frozen.sourceBucket}/${frozen.sourcePrefix}${path}`;
  const { objects, bytes }: ChannelInputs = findings.inputs.get(asked.name) ?? { objects: 0, bytes: 0 };
  const { isOwnFolder, otherFiles } = findings;
  const isExact = otherFiles === 'none' || (otherFiles === 'at-root' && path !== '');
  // FastFile only mounts a prefix; scripts open the files there by their names.
  const isWholeFolder = isOwnFolder && (isExact || asked.inputMode === 'FastFile');
  if (asked.s3DataType === 'S3Prefix' && isWholeFolder) return { ...channel, uri: inDrop, objects, bytes };
  const uri = `s3://${bucket}/${bucketLayout.channelInput(run, asked.name)}`;
  const s3DataType = asked.s3DataType === 'S3Prefix' ? 'ManifestFile' : asked.s3DataType;
  return { ...channel, s3DataType, uri, objects, bytes };
}
