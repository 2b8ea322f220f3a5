import { TRAINING } from '../frameworks/trainings.ts';
import { familyOf } from '../model/instance-families.ts';
import { compareVersions } from '../model/version-order.ts';
import { toHyperparameter } from './hyperparameters.ts';
import type { PlannedChannel, TrainingPlan } from './training-plan.ts';

/** The members of CreateTrainingJob's request that this application sends. */
export interface TrainingRequest {
  readonly TrainingJobName: string;
  readonly RoleArn: string;
  readonly AlgorithmSpecification: {
    readonly TrainingImage: string;
    readonly TrainingInputMode: TrainingPlan['inputMode'];
    readonly MetricDefinitions?: { readonly Name: string; readonly Regex: string }[];
    readonly EnableSageMakerMetricsTimeSeries?: boolean;
  };
  readonly HyperParameters: Readonly<Record<string, string>>;
  readonly InputDataConfig: RequestedChannel[];
  readonly OutputDataConfig: { readonly S3OutputPath: string; readonly KmsKeyId?: string };
  readonly ResourceConfig: {
    readonly InstanceType: string;
    readonly InstanceCount: number;
    readonly VolumeSizeInGB: number;
    readonly VolumeKmsKeyId?: string;
  };
  readonly StoppingCondition: {
    readonly MaxRuntimeInSeconds: number;
    readonly MaxWaitTimeInSeconds?: number;
  };
  readonly VpcConfig?: { readonly Subnets: string[]; readonly SecurityGroupIds: string[] };
  readonly EnableNetworkIsolation?: boolean;
  readonly EnableInterContainerTrafficEncryption?: boolean;
  readonly EnableManagedSpotTraining?: boolean;
  readonly CheckpointConfig?: { readonly S3Uri: string };
  readonly Environment?: Readonly<Record<string, string>>;
  readonly DebugHookConfig?: { readonly S3OutputPath: string; readonly CollectionConfigurations: never[] };
  readonly ProfilerConfig?: { readonly S3OutputPath: string; readonly DisableProfiler: boolean };
  readonly Tags?: { readonly Key: string; readonly Value: string }[];
}

interface RequestedChannel {
  readonly ChannelName: string;
  readonly DataSource: {
    readonly S3DataSource: {
      readonly S3DataType: PlannedChannel['s3DataType'];
      readonly S3Uri: string;
      readonly S3DataDistributionType: PlannedChannel['distribution'];
      readonly AttributeNames?: string[];
    };
  };
  readonly ContentType?: string;
  readonly CompressionType?: PlannedChannel['compression'];
  readonly RecordWrapperType?: PlannedChannel['recordWrapper'];
  readonly InputMode?: PlannedChannel['inputMode'];
  readonly ShuffleConfig?: { readonly Seed: number };
}

/** Members that are decided when the job starts. */
export interface TrainingStart {
  readonly jobName: string;
  readonly instanceType: string;
  /** S3 URI of sourcedir.tar.gz. */
  readonly sourceUri: string;
  /** S3 URI that the outputs of the job go below, with a slash at its end. */
  readonly outputUri: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** Where a container without a network finds the source, which a channel brings (`CONTAINER_CODE_CHANNEL_SOURCEDIR_PATH` of the SDK). */
const ISOLATED_SOURCE = '/opt/ml/input/data/code/sourcedir.tar.gz';
/** `logging.INFO`. */
const LOG_LEVEL = 20;
/** Regions without Debugger and Profiler (SageMaker's Python SDK 2.257, fw_utils.py). */
const WITHOUT_DEBUGGER: readonly string[] = [
  'us-iso-east-1',
  'us-isob-east-1',
  'ap-southeast-3',
  'ap-southeast-4',
  'eu-south-2',
  'me-central-1',
  'ap-south-2',
  'eu-central-2',
  'us-gov-east-1',
];

/** The request that SageMaker's Python SDK 2.257 would make of the plan's estimator, except names and locations. */
export function toTrainingRequest(plan: TrainingPlan, start: TrainingStart): TrainingRequest {
  const { image, instances, limits, spot, vpc, checkpoints } = plan;
  const { outputUri, instanceType } = start;
  const { kmsKeyArn } = instances;
  const hasDebugger = !WITHOUT_DEBUGGER.includes(plan.region);
  const hasTimeSeries = compareVersions(image.version, TRAINING[image.framework].timeSeriesSince) >= 0;
  const tags = Object.entries(start.tags).map(([Key, Value]) => ({ Key, Value }));
  return {
    TrainingJobName: start.jobName,
    RoleArn: plan.roleArn,
    AlgorithmSpecification: {
      TrainingImage: image.uri,
      TrainingInputMode: plan.inputMode,
      ...(plan.metrics.length > 0 && {
        MetricDefinitions: plan.metrics.map(({ name, regex }) => ({ Name: name, Regex: regex })),
      }),
      ...(hasTimeSeries && { EnableSageMakerMetricsTimeSeries: true }),
    },
    HyperParameters: toHyperparameters(plan, start),
    InputDataConfig: [
      ...plan.channels.map((channel) => toChannel(channel, plan.inputMode)),
      ...(plan.networkIsolation ? [sourceChannel(start.sourceUri, plan.inputMode)] : []),
    ],
    OutputDataConfig: { S3OutputPath: outputUri, ...(kmsKeyArn !== null && { KmsKeyId: kmsKeyArn }) },
    ResourceConfig: {
      InstanceType: instanceType,
      InstanceCount: instances.count,
      VolumeSizeInGB: instances.volumeSizeInGB,
      // SageMaker refuses a key for machines that have disks of their own.
      ...(kmsKeyArn !== null && !familyOf(instanceType).disks && { VolumeKmsKeyId: kmsKeyArn }),
    },
    StoppingCondition: {
      MaxRuntimeInSeconds: limits.maxRunSeconds,
      ...(spot !== null && { MaxWaitTimeInSeconds: spot.maxWaitSeconds }),
    },
    ...(vpc !== null && {
      VpcConfig: { Subnets: [...vpc.subnets], SecurityGroupIds: [...vpc.securityGroups] },
    }),
    ...(plan.networkIsolation && { EnableNetworkIsolation: true }),
    ...(plan.encryptInterContainerTraffic && { EnableInterContainerTrafficEncryption: true }),
    ...(spot !== null && { EnableManagedSpotTraining: true }),
    ...(checkpoints !== null && { CheckpointConfig: { S3Uri: checkpoints.uri } }),
    ...(Object.keys(plan.environment).length > 0 && { Environment: plan.environment }),
    // The SDK leaves Debugger out with parameter servers, which it does not support.
    ...(hasDebugger &&
      !isOf(plan, 'parameterServer') && {
        DebugHookConfig: { S3OutputPath: outputUri, CollectionConfigurations: [] },
      }),
    ...(hasDebugger && { ProfilerConfig: { S3OutputPath: outputUri, DisableProfiler: false } }),
    ...(tags.length > 0 && { Tags: tags }),
  };
}

/** The script's own hyperparameters, and those by which the training toolkit finds and starts it. */
function toHyperparameters(plan: TrainingPlan, start: TrainingStart): Record<string, string> {
  const { distribution, image, source } = plan;
  const toolkit: Record<string, unknown> = {
    sagemaker_submit_directory: plan.networkIsolation ? ISOLATED_SOURCE : start.sourceUri,
    sagemaker_program: source.entryPoint,
    sagemaker_container_log_level: LOG_LEVEL,
    sagemaker_job_name: start.jobName,
    sagemaker_region: plan.region,
  };
  if (distribution !== null && 'mpi' in distribution) {
    const { processesPerHost, customOptions } = distribution.mpi;
    toolkit['sagemaker_mpi_enabled'] = true;
    if (processesPerHost !== null) toolkit['sagemaker_mpi_num_of_processes_per_host'] = processesPerHost;
    toolkit['sagemaker_mpi_custom_mpi_options'] = customOptions;
  }
  if (isOf(plan, 'parameterServer')) toolkit['sagemaker_parameter_server_enabled'] = true;
  if (isOf(plan, 'torchDistributed')) {
    toolkit['sagemaker_torch_distributed_enabled'] = true;
    toolkit['sagemaker_instance_type'] = start.instanceType;
  }
  const encoded = Object.entries(toolkit).map(([name, value]) => [name, toHyperparameter(value)]);
  const modelDir = toHyperparameter(
    isOf(plan, 'mpi') ? '/opt/ml/model' : `${start.outputUri}${start.jobName}/model`,
  );
  return {
    ...TRAINING[image.framework].hyperparameters(modelDir),
    ...plan.hyperparameters,
    ...Object.fromEntries(encoded),
  };
}

function isOf({ distribution }: TrainingPlan, kind: 'mpi' | 'parameterServer' | 'torchDistributed'): boolean {
  return distribution !== null && kind in distribution;
}

function toChannel(channel: PlannedChannel, inputMode: TrainingPlan['inputMode']): RequestedChannel {
  const { attributes, contentType, compression, recordWrapper, shuffleSeed } = channel;
  return {
    ChannelName: channel.name,
    DataSource: {
      S3DataSource: {
        S3DataType: channel.s3DataType,
        S3Uri: channel.uri,
        S3DataDistributionType: channel.distribution,
        ...(attributes.length > 0 && { AttributeNames: [...attributes] }),
      },
    },
    ...(contentType !== null && { ContentType: contentType }),
    ...(compression !== 'None' && { CompressionType: compression }),
    ...(recordWrapper !== 'None' && { RecordWrapperType: recordWrapper }),
    ...(channel.inputMode !== inputMode && { InputMode: channel.inputMode }),
    ...(shuffleSeed !== null && { ShuffleConfig: { Seed: shuffleSeed } }),
  };
}

function sourceChannel(uri: string, inputMode: TrainingPlan['inputMode']): RequestedChannel {
  return {
    ChannelName: 'code',
    DataSource: {
      S3DataSource: { S3DataType: 'S3Prefix', S3Uri: uri, S3DataDistributionType: 'FullyReplicated' },
    },
    ...(inputMode !== 'File' && { InputMode: 'File' as const }),
  };
}
