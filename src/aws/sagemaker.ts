import {
  CreateModelCommand,
  CreateTransformJobCommand,
  type CreateTransformJobCommandInput,
  DeleteModelCommand,
  DescribeModelCommand,
  type DescribeModelCommandOutput,
  DescribeTransformJobCommand,
  type DescribeTransformJobCommandOutput,
  ListTagsCommand,
  SageMakerClient,
  StopTransformJobCommand,
  type TransformInstanceType,
} from '@aws-sdk/client-sagemaker';
import { required } from './answer.ts';
import { isNamed } from './aws-error.ts';
import { request, type Tags, toTagList, unlessMissing } from './sagemaker-request.ts';

export interface ModelSpec {
  readonly name: string;
  /** Role of the containers; AWS requires one, the stack on a laptop does not. */
  readonly roleArn?: string;
  readonly imageUri: string;
  /** `s3://…/model.tar.gz`. */
  readonly artifactUri: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly vpc?: { readonly subnets: readonly string[]; readonly securityGroups: readonly string[] };
  /** Whether the container has neither network access nor the role's credentials. */
  readonly networkIsolation: boolean;
  readonly tags?: Tags;
}

interface ModelDescription {
  readonly name: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly imageUri: string;
  readonly artifactUri: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly networkIsolation: boolean;
}

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
  /** A filter is JSONPath. Left out: the container receives whole records, and its answers are stored unchanged. */
  readonly dataProcessing?: { readonly inputFilter: string; readonly joinSource: 'None' | 'Input' };
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

/**
 * Models and batch transform jobs.
 *
 * Every method rejects with an error named `ResourceInUse`, `ResourceLimitExceeded`, `Throttled`, `NotFound`,
 * `ValidationException`, `AccessDenied`, or else by SageMaker's own name. Descriptions of missing resources are `undefined`,
 * although SageMaker answers `ValidationException` for them.
 */
export interface SageMaker {
  describeModel(name: string): Promise<ModelDescription | undefined>;
  /** @throws `ResourceInUse` if the name is taken */
  createModel(model: ModelSpec): Promise<{ readonly arn: string }>;
  /** Deleting a missing model succeeds. */
  deleteModel(name: string): Promise<void>;
  /** @throws `ResourceInUse` if the name is taken; `ResourceLimitExceeded`, `Throttled` */
  startTransformJob(job: TransformJobSpec): Promise<{ readonly arn: string }>;
  describeTransformJob(name: string): Promise<TransformJobDescription | undefined>;
  /** Asks the job to stop; a job that has ended or does not exist is left as it is. */
  stopTransformJob(name: string): Promise<void>;
  /** Tags of a model or job. */
  tagsOf(arn: string): Promise<Tags>;
}

let client: SageMakerClient | undefined;

/** SageMaker of the account and region that the environment names; the client is built on first use. */
export function sageMaker(): SageMaker {
  const open = (): SageMakerClient => (client ??= new SageMakerClient());
  return {
    describeModel: (name) =>
      unlessMissing(async () =>
        toModel(name, await open().send(new DescribeModelCommand({ ModelName: name }))),
      ),
    async createModel(model) {
      const { ModelArn } = await request(
        open().send(
          new CreateModelCommand({
            ModelName: model.name,
            ...(model.roleArn !== undefined && { ExecutionRoleArn: model.roleArn }),
            PrimaryContainer: {
              Image: model.imageUri,
              ModelDataUrl: model.artifactUri,
              Environment: { ...model.environment },
            },
            ...(model.vpc && {
              VpcConfig: { Subnets: [...model.vpc.subnets], SecurityGroupIds: [...model.vpc.securityGroups] },
            }),
            EnableNetworkIsolation: model.networkIsolation,
            Tags: toTagList(model.tags),
          }),
        ),
      );
      return { arn: required(ModelArn, 'ModelArn') };
    },
    async deleteModel(name) {
      await unlessMissing(() => open().send(new DeleteModelCommand({ ModelName: name })));
    },
    async startTransformJob(job) {
      const { TransformJobArn } = await request(open().send(new CreateTransformJobCommand(toRequest(job))));
      return { arn: required(TransformJobArn, 'TransformJobArn') };
    },
    describeTransformJob: (name) =>
      unlessMissing(async () =>
        toJob(name, await open().send(new DescribeTransformJobCommand({ TransformJobName: name }))),
      ),
    async stopTransformJob(name) {
      try {
        await unlessMissing(() => open().send(new StopTransformJobCommand({ TransformJobName: name })));
      } catch (error) {
        if (isNamed(error, 'ValidationException') && HAS_ENDED.test(error.message)) return;
        throw error;
      }
    },
    async tagsOf(arn) {
      const tags: Record<string, string> = {};
      let NextToken: string | undefined;
      do {
        const page = await request(open().send(new ListTagsCommand({ ResourceArn: arn, NextToken })));
        for (const { Key, Value } of page.Tags ?? []) tags[required(Key, 'Tags.Key')] = Value ?? '';
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return tags;
    },
  };
}

const HAS_ENDED = /is in status|status of (the )?transform job/i;

function toRequest(job: TransformJobSpec): CreateTransformJobCommandInput {
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
    ...(job.dataProcessing && {
      DataProcessing: {
        InputFilter: job.dataProcessing.inputFilter,
        JoinSource: job.dataProcessing.joinSource,
      },
    }),
    TransformResources: {
      // The SDK knows the types of its own release only; SageMaker decides, and names what it does not take.
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
      InstanceType: job.instanceType as TransformInstanceType,
      InstanceCount: job.instanceCount,
      ...(job.amiVersion !== undefined && { TransformAmiVersion: job.amiVersion }),
      ...(job.volumeKmsKeyArn !== undefined && { VolumeKmsKeyId: job.volumeKmsKeyArn }),
    },
    Tags: toTagList(job.tags),
  };
}

function toModel(name: string, answer: DescribeModelCommandOutput): ModelDescription {
  const container = answer.PrimaryContainer ?? answer.Containers?.[0];
  return {
    name,
    arn: required(answer.ModelArn, 'ModelArn'),
    roleArn: required(answer.ExecutionRoleArn, 'ExecutionRoleArn'),
    imageUri: container?.Image ?? '',
    artifactUri: container?.ModelDataUrl ?? '',
    environment: container?.Environment ?? {},
    networkIsolation: answer.EnableNetworkIsolation ?? false,
  };
}

function toJob(name: string, answer: DescribeTransformJobCommandOutput): TransformJobDescription {
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
