import {
  CreateModelCommand,
  CreateTransformJobCommand,
  DeleteModelCommand,
  DescribeModelCommand,
  type DescribeModelCommandOutput,
  DescribeTransformJobCommand,
  SageMakerClient,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import type { StackSettings } from '../../run/stack-settings.ts';
import { required } from '../calls/answer.ts';
import { isNamed } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';
import {
  noResourceTags,
  readTags,
  request,
  type ResourceTags,
  type Tags,
  toTagList,
  unlessMissing,
} from './sagemaker-request.ts';
import {
  toTransformJob,
  toTransformRequest,
  type TransformJobDescription,
  type TransformJobSpec,
} from './transform-job.ts';

/** A model to create. */
export interface ModelSpec {
  readonly name: string;
  /** Role of the containers; AWS requires one, the stack on a laptop does not. */
  readonly roleArn?: string;
  readonly imageUri: string;
  /** `s3://…/model.tar.gz`. */
  readonly artifactUri: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly vpc?: NonNullable<StackSettings['vpc']>;
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
export function sageMaker(resourceTags: ResourceTags = noResourceTags): SageMaker {
  const open = (): SageMakerClient => (client ??= named(new SageMakerClient()));
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
            Tags: toTagList({ ...model.tags, ...resourceTags() }),
          }),
        ),
      );
      return { arn: required(ModelArn, 'ModelArn') };
    },
    async deleteModel(name) {
      await unlessMissing(() => open().send(new DeleteModelCommand({ ModelName: name })));
    },
    async startTransformJob(job) {
      const { TransformJobArn } = await request(
        open().send(
          new CreateTransformJobCommand(
            toTransformRequest({ ...job, tags: { ...job.tags, ...resourceTags() } }),
          ),
        ),
      );
      return { arn: required(TransformJobArn, 'TransformJobArn') };
    },
    describeTransformJob: (name) =>
      unlessMissing(async () =>
        toTransformJob(name, await open().send(new DescribeTransformJobCommand({ TransformJobName: name }))),
      ),
    async stopTransformJob(name) {
      try {
        await unlessMissing(() => open().send(new StopTransformJobCommand({ TransformJobName: name })));
      } catch (error) {
        if (isNamed(error, 'ValidationException') && HAS_ENDED.test(error.message)) return;
        throw error;
      }
    },
    tagsOf: (arn) => readTags(open(), arn),
  };
}

const HAS_ENDED = /is in status|status of (the )?transform job/i;

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
