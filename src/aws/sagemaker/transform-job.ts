import type {
  CreateTransformJobCommandInput,
  DescribeTransformJobCommandOutput,
  TransformInstanceType,
} from '@aws-sdk/client-sagemaker';
import { required } from '../calls/answer.ts';
import { type Tags, toTagList } from './sagemaker-request.ts';

/** A batch transform job to start. */
export interface TransformJobSpec {
  readonly name: string;
  readonly modelName: string;
  /** `manifest`: the URI of one object in SageMaker's manifest format; `prefix`: everything below the URI. */
  readonly input: { readonly kind: 'manifest' | 'prefix'; readonly uri: string };
  readonly contentType: string;
  readonly splitType: 'None' | 'Line' | 'RecordIO' | 'TFRecord';
  readonly outputUri: string;
  readonly outputKmsKeyArn?: string;
  readonly accept: string;
  readonly assembleWith: 'None' | 'Line';
  readonly instanceType: string;
  readonly instanceCount: number;
  /** Left out where SageMaker chooses. */
  readonly amiVersion?: string;
  readonly volumeKmsKeyArn?: string;
  /** Per instance. */
  readonly maxConcurrentTransforms: number;
  readonly maxPayloadInMB: number;
  readonly batchStrategy: 'SingleRecord' | 'MultiRecord';
  /** 1..3600. */
  readonly invocationsTimeoutInSeconds: number;
  /** 0..3. */
  readonly invocationsMaxRetries: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly tags?: Tags;
}

type TransformJobStatus = 'InProgress' | 'Completed' | 'Failed' | 'Stopping' | 'Stopped';

/** A batch transform job as SageMaker describes it. */
export interface TransformJobDescription {
  readonly name: string;
  readonly arn: string;
  readonly status: TransformJobStatus;
  readonly failureReason?: string;
  readonly modelName: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly inputUri: string;
  readonly outputUri: string;
  readonly createdAt: Date;
  /** Time at which the instances were up; billing starts here. */
  readonly startedAt?: Date;
  readonly endedAt?: Date;
}

/** The job in SageMaker's form. */
export function toTransformRequest(job: TransformJobSpec): CreateTransformJobCommandInput {
  return {
    TransformJobName: job.name,
    ModelName: job.modelName,
    MaxConcurrentTransforms: job.maxConcurrentTransforms,
    MaxPayloadInMB: job.maxPayloadInMB,
    BatchStrategy: job.batchStrategy,
    ModelClientConfig: {
      InvocationsTimeoutInSeconds: job.invocationsTimeoutInSeconds,
      InvocationsMaxRetries: job.invocationsMaxRetries,
    },
    ...(job.environment && { Environment: { ...job.environment } }),
    TransformInput: {
      DataSource: {
        S3DataSource: {
          S3DataType: job.input.kind === 'manifest' ? 'ManifestFile' : 'S3Prefix',
          S3Uri: job.input.uri,
        },
      },
      ContentType: job.contentType,
      SplitType: job.splitType,
    },
    TransformOutput: {
      S3OutputPath: job.outputUri,
      Accept: job.accept,
      AssembleWith: job.assembleWith,
      ...(job.outputKmsKeyArn !== undefined && { KmsKeyId: job.outputKmsKeyArn }),
    },
    TransformResources: {
      // The SDK only knows the types of its own release; SageMaker decides, and names the types that it refuses.
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      InstanceType: job.instanceType as TransformInstanceType,
      InstanceCount: job.instanceCount,
      ...(job.amiVersion !== undefined && { TransformAmiVersion: job.amiVersion }),
      ...(job.volumeKmsKeyArn !== undefined && { VolumeKmsKeyId: job.volumeKmsKeyArn }),
    },
    Tags: toTagList(job.tags),
  };
}

/** A job from SageMaker's description. */
export function toTransformJob(
  name: string,
  answer: DescribeTransformJobCommandOutput,
): TransformJobDescription {
  return {
    name,
    arn: required(answer.TransformJobArn, 'TransformJobArn'),
    status: required(answer.TransformJobStatus, 'TransformJobStatus'),
    ...(answer.FailureReason !== undefined && { failureReason: answer.FailureReason }),
    modelName: required(answer.ModelName, 'ModelName'),
    instanceType: required(answer.TransformResources?.InstanceType, 'TransformResources.InstanceType'),
    instanceCount: required(answer.TransformResources?.InstanceCount, 'TransformResources.InstanceCount'),
    inputUri: required(answer.TransformInput?.DataSource?.S3DataSource?.S3Uri, 'S3DataSource.S3Uri'),
    outputUri: answer.TransformOutput?.S3OutputPath ?? '',
    createdAt: required(answer.CreationTime, 'CreationTime'),
    ...(answer.TransformStartTime && { startedAt: answer.TransformStartTime }),
    ...(answer.TransformEndTime && { endedAt: answer.TransformEndTime }),
  };
}
