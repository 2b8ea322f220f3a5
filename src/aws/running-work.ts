import {
  DescribeTrainingJobCommand,
  DescribeTransformJobCommand,
  ListTrainingJobsCommand,
  ListTransformJobsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { required } from './answer.ts';
import { withErrorNames } from './aws-error.ts';
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
  /** Transform jobs whose names contain a text. */
  transformJobs(containing: string): Promise<readonly RunningJob[]>;
  /** The same of training jobs. */
  trainingJobs(containing: string): Promise<readonly RunningJob[]>;
}

/** Work in progress in the account and region that the environment names. */
export function runningWork(): RunningWork {
  return {
    async executions(stateMachineArn) {
      const sfn = new SFNClient();
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
    async transformJobs(NameContains) {
      const sagemaker = new SageMakerClient();
      const jobs: RunningJob[] = [];
      for (const StatusEquals of ['InProgress', 'Stopping'] as const) {
        let NextToken: string | undefined;
        do {
          const page = await request(
            sagemaker.send(new ListTransformJobsCommand({ NameContains, StatusEquals, NextToken })),
          );
          for (const { TransformJobName } of page.TransformJobSummaries ?? [])
            jobs.push(await describe(sagemaker, required(TransformJobName, 'TransformJobName')));
          NextToken = page.NextToken;
        } while (NextToken !== undefined);
      }
      return jobs;
    },
    async trainingJobs(NameContains) {
      const sagemaker = new SageMakerClient();
      const jobs: RunningJob[] = [];
      for (const StatusEquals of ['InProgress', 'Stopping'] as const) {
        let NextToken: string | undefined;
        do {
          const page = await request(
            sagemaker.send(new ListTrainingJobsCommand({ NameContains, StatusEquals, NextToken })),
          );
          for (const { TrainingJobName } of page.TrainingJobSummaries ?? [])
            jobs.push(await describeTraining(sagemaker, required(TrainingJobName, 'TrainingJobName')));
          NextToken = page.NextToken;
        } while (NextToken !== undefined);
      }
      return jobs;
    },
  };
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
