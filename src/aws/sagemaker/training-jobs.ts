import {
  CreateTrainingJobCommand,
  DescribeTrainingJobCommand,
  type DescribeTrainingJobCommandOutput,
  SageMakerClient,
  StopTrainingJobCommand,
  type TrainingInstanceType,
} from '@aws-sdk/client-sagemaker';
import type { TrainingRequest } from '../../training/to-training-request.ts';
import { required } from '../calls/answer.ts';
import { isNamed } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';
import { noResourceTags, request, type ResourceTags, toTagList, unlessMissing } from './sagemaker-request.ts';

/** A time span of a job under one secondary status. */
interface Transition {
  readonly status: string;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly message?: string;
}

/** A training job as SageMaker describes it. Facts that are not known yet are missing; `artifact` is empty then. */
export interface TrainingJobDescription {
  readonly name: string;
  readonly arn: string;
  readonly status: 'InProgress' | 'Completed' | 'Failed' | 'Stopping' | 'Stopped' | 'Deleting';
  readonly secondaryStatus: string;
  readonly failureReason?: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly createdAt: Date;
  /** Time at which the instances were there; billing starts here. */
  readonly startedAt?: Date;
  readonly endedAt?: Date;
  /** Training time of one instance; with spot capacity fewer seconds are billed. */
  readonly trainingSeconds?: number;
  readonly billableSeconds?: number;
  /** S3 URI of model.tar.gz, which is also set if the script left no model. */
  readonly artifact: string;
  readonly transitions: readonly Transition[];
  /** Last value of each metric, known once the job has ended; NaN where the log said so. */
  readonly finalMetrics: readonly { readonly name: string; readonly value: number }[];
}

/** Training jobs; errors have the names that `SageMaker` (sagemaker.ts) lists. */
export interface TrainingJobs {
  /** @throws `ResourceInUse` if the name is taken; `ResourceLimitExceeded`, `Throttled` */
  start(job: TrainingRequest): Promise<void>;
  describe(name: string): Promise<TrainingJobDescription | undefined>;
  /** Asks the job to stop; a job that has ended or does not exist is left as it is. */
  stop(name: string): Promise<void>;
}

let client: SageMakerClient | undefined;

/** Training jobs of the account and region that the environment names; the client is built on first use. */
export function trainingJobs(resourceTags: ResourceTags = noResourceTags): TrainingJobs {
  const open = (): SageMakerClient => (client ??= named(new SageMakerClient()));
  return {
    async start({ ResourceConfig, Tags = [], ...job }) {
      await request(
        open().send(
          new CreateTrainingJobCommand({
            ...job,
            Tags: toTagList({
              ...Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])),
              ...resourceTags(),
            }),
            ResourceConfig: {
              ...ResourceConfig,
              // The SDK only knows the types of its own release; SageMaker decides, and names the types that it refuses.
              // eslint-disable-next-line @typescript-eslint/consistent-type-assertions
              InstanceType: ResourceConfig.InstanceType as TrainingInstanceType,
            },
          }),
        ),
      );
    },
    describe: (name) =>
      unlessMissing(async () =>
        toDescription(name, await open().send(new DescribeTrainingJobCommand({ TrainingJobName: name }))),
      ),
    async stop(name) {
      try {
        await unlessMissing(() => open().send(new StopTrainingJobCommand({ TrainingJobName: name })));
      } catch (error) {
        if (isNamed(error, 'ValidationException') && HAS_ENDED.test(error.message)) return;
        throw error;
      }
    },
  };
}

const HAS_ENDED = /is in status|status of (the )?training job/i;

function toDescription(name: string, answer: DescribeTrainingJobCommandOutput): TrainingJobDescription {
  const { FailureReason, TrainingTimeInSeconds, BillableTimeInSeconds, ResourceConfig } = answer;
  return {
    name,
    arn: required(answer.TrainingJobArn, 'TrainingJobArn'),
    status: required(answer.TrainingJobStatus, 'TrainingJobStatus'),
    secondaryStatus: required(answer.SecondaryStatus, 'SecondaryStatus'),
    ...(FailureReason !== undefined && { failureReason: FailureReason }),
    instanceType: required(ResourceConfig?.InstanceType, 'ResourceConfig.InstanceType'),
    instanceCount: required(ResourceConfig?.InstanceCount, 'ResourceConfig.InstanceCount'),
    createdAt: required(answer.CreationTime, 'CreationTime'),
    ...(answer.TrainingStartTime && { startedAt: answer.TrainingStartTime }),
    ...(answer.TrainingEndTime && { endedAt: answer.TrainingEndTime }),
    ...(TrainingTimeInSeconds !== undefined && { trainingSeconds: TrainingTimeInSeconds }),
    ...(BillableTimeInSeconds !== undefined && { billableSeconds: BillableTimeInSeconds }),
    artifact: answer.ModelArtifacts?.S3ModelArtifacts ?? '',
    transitions: (answer.SecondaryStatusTransitions ?? []).map(
      ({ Status, StartTime, EndTime, StatusMessage }) => ({
        status: required(Status, 'SecondaryStatusTransitions.Status'),
        startedAt: required(StartTime, 'SecondaryStatusTransitions.StartTime'),
        ...(EndTime && { endedAt: EndTime }),
        ...(StatusMessage !== undefined && { message: StatusMessage }),
      }),
    ),
    finalMetrics: (answer.FinalMetricDataList ?? []).map(({ MetricName, Value }) => ({
      name: required(MetricName, 'FinalMetricDataList.MetricName'),
      value: Value ?? Number.NaN,
    })),
  };
}
