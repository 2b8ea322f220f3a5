import * as z from 'zod';
import { TrainingFramework } from '../frameworks/framework-name.ts';
import { EndpointSettings } from '../pipeline/endpoint-settings.ts';
import {
  AfterSettings,
  DistributionSettings,
  InputMode,
  StopSettings,
} from '../pipeline/training-settings.ts';
import { RunId } from '../run/run-id.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** One input channel in SageMaker's terms. */
const PlannedChannel = z.object({
  name: z.string(),
  s3DataType: z.enum(['S3Prefix', 'ManifestFile', 'AugmentedManifestFile']),
  uri: z.string(),
  /** Attributes of an augmented manifest; empty for others. */
  attributes: z.array(z.string()),
  distribution: z.enum(['FullyReplicated', 'ShardedByS3Key']),
  shuffleSeed: z.int().nullable(),
  inputMode: InputMode,
  contentType: z.string().nullable(),
  compression: z.enum(['None', 'Gzip']),
  recordWrapper: z.enum(['None', 'RecordIO']),
  /** Inputs of the frozen manifest, or of the channel's own manifest, that it has. */
  objects: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
});
export type PlannedChannel = z.infer<typeof PlannedChannel>;

/** A file of the source folder as it was when the training was planned. */
const SourceFile = z.object({
  /** Below the source folder. */
  path: z.string(),
  bytes: z.int().nonnegative(),
  etag: z.string(),
});
export type SourceFile = z.infer<typeof SourceFile>;

const [mpi, ...others] = DistributionSettings.unwrap().options;
const { processesPerHost, customOptions } = mpi.shape.mpi.shape;
const Mpi = z.strictObject({
  processesPerHost: processesPerHost.unwrap(),
  customOptions: customOptions.unwrap(),
});
const { nan, metric, mode, patience } = StopSettings.shape;
const PlannedStop = z.object({
  nan: nan.unwrap(),
  metric: metric.unwrap(),
  mode: mode.unwrap(),
  patience: patience.unwrap(),
});
const PlannedDistribution = z.union([z.strictObject({ mpi: Mpi }), ...others]).nullable();

/** `plan.json` of a training, with every default explicit. */
export const TrainingPlan = z.object({
  schema: z.literal(1),
  run: RunId,
  /** UTC, ISO 8601. */
  createdAt: z.iso.datetime(),
  region: z.string(),
  /** The frozen drop. */
  data: z.object({
    bucket: z.string(),
    prefix: z.string(),
    objects: z.int().nonnegative(),
    bytes: z.int().nonnegative(),
  }),
  image: z.object({
    uri: z.string(),
    framework: TrainingFramework,
    version: z.string(),
    /** Null if the tag names none, and for a custom image. */
    pyVersion: z.string().nullable(),
    /** Version of Horovod in it; null without it, or if unknown. */
    horovod: z.string().nullable(),
  }),
  source: z.object({
    /** Key prefix in the application's bucket, with a slash at its end. */
    prefix: z.string(),
    entryPoint: z.string(),
    files: z.array(SourceFile).min(1),
  }),
  instances: z.object({
    types: z.array(z.string()).min(1),
    count: z.int().min(1),
    volumeSizeInGB: z.int().min(1),
    /** The stack's KMS key; null without one. SageMaker decides which instance types take a key for their volumes. */
    kmsKeyArn: z.string().nullable(),
  }),
  distribution: PlannedDistribution,
  /** The script's own hyperparameters, each value as JSON; the training toolkit's are added when the job is started. */
  hyperparameters: z.record(z.string(), z.string()),
  inputMode: InputMode,
  channels: z.array(PlannedChannel).min(1),
  metrics: z.array(z.object({ name: z.string(), regex: z.string() })),
  stop: PlannedStop,
  /** UUID in the keys of outputs and checkpoints, so that scripts of other trainings do not find them. */
  id: z.uuid(),
  /** Null if none are kept. A rerun uses the checkpoints of the training that it repeats. */
  checkpoints: z.object({ uri: z.string() }).nullable(),
  spot: z.object({ maxWaitSeconds: z.int().positive() }).nullable(),
  vpc: z.object({ subnets: z.array(z.string()), securityGroups: z.array(z.string()) }).nullable(),
  networkIsolation: z.boolean(),
  encryptInterContainerTraffic: z.boolean(),
  environment: z.record(z.string(), z.string()),
  roleArn: z.string(),
  /** Tags of pipeline.json; the application's own are added when the job is started. */
  tags: z.record(z.string(), z.string()),
  limits: z.object({
    /** Cap on training and evaluation together; null without a bound. */
    maxCostUsd: z.number().nullable(),
    maxRunSeconds: z.int().positive(),
    /** How long the training may wait for an instance (limits.maxRuntimeMinutes). */
    maxWaitSeconds: z.int().positive(),
  }),
  cost: z.object({
    /** On-demand price of one instance-hour by instance type; null if it is not known. */
    pricesUsd: z.record(z.string(), z.number().nullable()),
    /** Price of the most expensive type for maxRunSeconds; null if a price is unknown. */
    quoteUsd: z.number().nullable(),
    priceTableDate: z.string(),
    source: z.enum(['table', 'override', 'unknown']),
  }),
  after: z.object({
    evaluate: z
      .object({
        drop: z.string(),
        /** The run with the manifest to evaluate. */
        run: RunId,
        objects: z.int().positive(),
      })
      .nullable(),
    promote: AfterSettings.shape.promote.unwrap(),
    /** `endpoint.deploy` of pipeline.json when the training was planned. */
    deploy: EndpointSettings.shape.deploy.unwrap(),
  }),
  /** `judgingDigest` of pipeline.json. */
  judging: z.string(),
  /** The model at pipelines/<pipeline>/model.tar.gz when the training was planned, and its content digest. */
  incumbent: z.object({ sha256: digest, etag: z.string(), content: digest.nullable() }).nullable(),
  /** Notes on decisions for the reader, in sentences. */
  notes: z.array(z.string()),
});
export type TrainingPlan = z.infer<typeof TrainingPlan>;
