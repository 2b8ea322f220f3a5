import {
  DescribeTrainingJobCommand,
  DescribeTransformJobCommand,
  ListTrainingJobsCommand,
  ListTransformJobsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { required } from '../calls/answer.ts';
import { withErrorNames } from '../calls/aws-error.ts';
import { request } from './sagemaker-request.ts';

/** A job that has not ended. */
export interface RunningJob {
  readonly kind: 'transform' | 'training';
  readonly name: string;
  readonly instanceType: string;
  readonly instanceCount: number;
  readonly outputUri: string;
}

/** Work in progress in an account. */
export interface RunningWork {
  /** ARNs of executions of a state machine that have not ended. */
  executions(stateMachineArn: string): Promise<readonly string[]>;
  /** Transform jobs with names that contain a text. */
  transformJobs(containing: string): Promise<readonly RunningJob[]>;
  /** Training jobs with names that contain a text. */
  trainingJobs(containing: string): Promise<readonly RunningJob[]>;
}

/** Work in progress in the account and region that the environment names. */
export function runningWork(): RunningWork {
  const sfn = new SFNClient();
  return {
    async executions(stateMachineArn) {
      const arns: string[] = [];
      let nextToken: string | undefined;
      do {
        const page = await withErrorNames(
          sfn.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', nextToken })),
        );
        for (const one of page.executions ?? []) arns.push(required(one.executionArn, 'executionArn'));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return arns;
    },
    transformJobs: (NameContains) =>
      runningJobs(async (sagemaker, StatusEquals, NextToken) => {
        const page = await request(
          sagemaker.send(new ListTransformJobsCommand({ NameContains, StatusEquals, NextToken })),
        );
        const names = page.TransformJobSummaries?.map(({ TransformJobName }) => TransformJobName);
        return { names, next: page.NextToken };
      }, describe),
    trainingJobs: (NameContains) =>
      runningJobs(async (sagemaker, StatusEquals, NextToken) => {
        const page = await request(
          sagemaker.send(new ListTrainingJobsCommand({ NameContains, StatusEquals, NextToken })),
        );
        const names = page.TrainingJobSummaries?.map(({ TrainingJobName }) => TrainingJobName);
        return { names, next: page.NextToken };
      }, describeTraining),
  };
}

/** Jobs that run or are being stopped. */
async function runningJobs(
  list: (
    sagemaker: SageMakerClient,
    status: 'InProgress' | 'Stopping',
    token: string | undefined,
  ) => Promise<{ names: (string | undefined)[] | undefined; next: string | undefined }>,
  describeJob: (sagemaker: SageMakerClient, name: string) => Promise<RunningJob>,
): Promise<RunningJob[]> {
  const sagemaker = new SageMakerClient();
  const jobs: RunningJob[] = [];
  for (const status of ['InProgress', 'Stopping'] as const) {
    let token: string | undefined;
    do {
      const { names = [], next } = await list(sagemaker, status, token);
      for (const name of names) jobs.push(await describeJob(sagemaker, required(name, 'the name of a job')));
      token = next;
    } while (token !== undefined);
  }
  return jobs;
}

async function describe(sagemaker: SageMakerClient, name: string): Promise<RunningJob> {
  const job = await request(sagemaker.send(new DescribeTransformJobCommand({ TransformJobName: name })));
  return {
    kind: 'transform',
    name,
    instanceType: job.TransformResources?.InstanceType ?? 'an instance',
    instanceCount: job.TransformResources?.InstanceCount ?? 1,
    outputUri: job.TransformOutput?.S3OutputPath ?? '',
  };
}

async function describeTraining(sagemaker: SageMakerClient, name: string): Promise<RunningJob> {
  const job = await request(sagemaker.send(new DescribeTrainingJobCommand({ TrainingJobName: name })));
  return {
    kind: 'training',
    name,
    instanceType: job.ResourceConfig?.InstanceType ?? 'an instance',
    instanceCount: job.ResourceConfig?.InstanceCount ?? 1,
    outputUri: job.OutputDataConfig?.S3OutputPath ?? '',
  };
}
