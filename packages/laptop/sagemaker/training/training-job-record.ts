import * as z from 'zod';
import { Tags } from '../tags.ts';

const S3Source = z.strictObject({
  S3DataType: z.enum(['ManifestFile', 'S3Prefix', 'AugmentedManifestFile', 'Converse']),
  S3Uri: z.string(),
  S3DataDistributionType: z.enum(['FullyReplicated', 'ShardedByS3Key']).optional(),
  AttributeNames: z.array(z.string()).optional(),
});
const InputMode = z.enum(['Pipe', 'File', 'FastFile']);

const Channel = z.strictObject({
  ChannelName: z.string(),
  DataSource: z.strictObject({ S3DataSource: S3Source }),
  ContentType: z.string().optional(),
  CompressionType: z.enum(['None', 'Gzip']).optional(),
  RecordWrapperType: z.enum(['None', 'RecordIO']).optional(),
  InputMode: InputMode.optional(),
  ShuffleConfig: z.strictObject({ Seed: z.number() }).optional(),
});
export type Channel = z.infer<typeof Channel>;

const Recorded = z.record(z.string(), z.unknown()).optional();
const RecordedList = z.array(z.record(z.string(), z.unknown())).optional();

/** Members that are described as they were given but don't affect the run here. */
export const RECORDED = {
  VpcConfig: Recorded,
  EnableInterContainerTrafficEncryption: z.boolean().optional(),
  RetryStrategy: Recorded,
  DebugHookConfig: Recorded,
  DebugRuleConfigurations: RecordedList,
  ProfilerConfig: Recorded,
  ProfilerRuleConfigurations: RecordedList,
  TensorBoardOutputConfig: Recorded,
  ExperimentConfig: Recorded,
  RemoteDebugConfig: Recorded,
  InfraCheckConfig: Recorded,
  SessionChainingConfig: Recorded,
  MlflowConfig: Recorded,
  ModelPackageConfig: Recorded,
};

/** Input of CreateTrainingJob, as far as this stack emulates it; see CreateModelInput. */
export const CreateTrainingJobInput = z.strictObject({
  TrainingJobName: z.string(),
  RoleArn: z.string(),
  HyperParameters: z.record(z.string(), z.string()).optional(),
  AlgorithmSpecification: z.strictObject({
    TrainingImage: z.string().optional(),
    TrainingInputMode: InputMode,
    MetricDefinitions: z.array(z.strictObject({ Name: z.string(), Regex: z.string() })).optional(),
    ContainerEntrypoint: z.array(z.string()).optional(),
    ContainerArguments: z.array(z.string()).optional(),
    EnableSageMakerMetricsTimeSeries: z.boolean().optional(),
    TrainingImageConfig: Recorded,
  }),
  InputDataConfig: z.array(Channel).optional(),
  OutputDataConfig: z.strictObject({
    S3OutputPath: z.string(),
    KmsKeyId: z.string().optional(),
    CompressionType: z.enum(['GZIP', 'NONE']).optional(),
  }),
  ResourceConfig: z.strictObject({
    InstanceType: z.string().optional(),
    InstanceCount: z.int().optional(),
    VolumeSizeInGB: z.int().optional(),
    VolumeKmsKeyId: z.string().optional(),
    KeepAlivePeriodInSeconds: z.int().optional(),
  }),
  StoppingCondition: z
    .strictObject({
      MaxRuntimeInSeconds: z.int().optional(),
      MaxWaitTimeInSeconds: z.int().optional(),
      MaxPendingTimeInSeconds: z.int().optional(),
    })
    .optional(),
  Environment: z.record(z.string(), z.string()).optional(),
  EnableNetworkIsolation: z.boolean().optional(),
  EnableManagedSpotTraining: z.boolean().optional(),
  CheckpointConfig: z.strictObject({ S3Uri: z.string(), LocalPath: z.string().optional() }).optional(),
  Tags: Tags.optional(),
  ...RECORDED,
});
export type CreateTrainingJobInput = z.infer<typeof CreateTrainingJobInput>;

/** Status of a training job in DescribeTrainingJob; `Deleting` is never seen here, since a job is deleted at once. */
export const TrainingJobStatus = z.enum([
  'InProgress',
  'Completed',
  'Failed',
  'Stopping',
  'Stopped',
  'Deleting',
]);
export type TrainingJobStatus = z.infer<typeof TrainingJobStatus>;

const SecondaryStatus = z.enum([
  'Starting',
  'Downloading',
  'Training',
  'Uploading',
  'Stopping',
  'Stopped',
  'MaxRuntimeExceeded',
  'MaxWaitTimeExceeded',
  'Interrupted',
  'Completed',
  'Failed',
]);
export type SecondaryStatus = z.infer<typeof SecondaryStatus>;

const Transition = z.object({
  status: SecondaryStatus,
  message: z.string(),
  startTimeMs: z.number(),
  endTimeMs: z.number().optional(),
});

const FinalMetric = z.object({ name: z.string(), value: z.number(), timeMs: z.number() });
export type FinalMetric = z.infer<typeof FinalMetric>;

/** A training job as it is kept on disk. Its secondary status is the last transition's. */
export const TrainingJobRecord = z.object({
  arn: z.string(),
  status: TrainingJobStatus,
  transitions: z.array(Transition),
  failureReason: z.string().optional(),
  creationTimeMs: z.number(),
  lastModifiedTimeMs: z.number(),
  trainingStartTimeMs: z.number().optional(),
  trainingEndTimeMs: z.number().optional(),
  metrics: z.array(FinalMetric),
  input: CreateTrainingJobInput,
});
export type TrainingJobRecord = z.infer<typeof TrainingJobRecord>;

const DAY_SECONDS = 86_400;

/** Limit of a job's runtime, with SageMaker's default where the request says nothing. */
export function maxRuntimeSeconds({ StoppingCondition }: CreateTrainingJobInput): number {
  return StoppingCondition?.MaxRuntimeInSeconds ?? DAY_SECONDS;
}
