import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError, validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, onAll, onOne, usingVolumeKey } from '../asked-of-role.ts';
import { limitExceeded, requireTransformInstances } from '../instance-quota.ts';
import { checkInputExists } from '../jobs/input-objects.ts';
import { parseS3Uri } from '../jobs/s3-uri.ts';
import { ListChangingInput, listPage } from '../list-page.ts';
import { jobNameTaken, requireJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { resolveRecordFormat } from '../transform/data-processing/record-format.ts';
import { parseJsonPath } from '../transform/data-processing/record-path.ts';
import {
  CreateTransformJobInput,
  type CreateTransformJobInput as JobInput,
  TransformJobStatus,
} from '../transform-job-record.ts';

/** Calls on transform jobs. */
export const transformJobActions = (state: SageMakerState) => [
  /** Checks everything that the service checks at once, then starts the job; the answer does not wait for it. */
  action('CreateTransformJob', {
    input: CreateTransformJobInput,
    permissions: asking((input, name) => [
      ...making(state, 'transform-job', input, name),
      ...usingVolumeKey(
        state,
        input.TransformResources?.VolumeKmsKeyId,
        state.models.get(input.ModelName)?.input.ExecutionRoleArn,
      ),
    ]),
    run: async (input) => {
      const arn = toArn(state.site, 'transform-job', input.TransformJobName);
      if (state.jobs.get(input.TransformJobName)) throw jobNameTaken(arn);
      checkSettings(input);
      const model = state.models.get(input.ModelName);
      if (!model)
        throw validationException(`Could not find model "${toArn(state.site, 'model', input.ModelName)}".`);
      for (const container of [model.input.PrimaryContainer, ...(model.input.Containers ?? [])]) {
        if (container?.ModelDataSource)
          throw validationException(
            "SageMaker Batch currently doesn't support Model entity with container definitions which use ModelDataSource attribute",
          );
      }
      const fault = state.faults.job?.(input.TransformJobName);
      if (fault === 'throttle') throw new AwsError('ThrottlingException', 'Rate exceeded');
      const { InstanceType, InstanceCount } = input.TransformResources;
      if (fault === 'limit')
        throw limitExceeded('transform job', InstanceType, { quota: 0, used: 0, asked: InstanceCount });
      await checkInputExists(
        state.objects,
        input.TransformInput.DataSource.S3DataSource,
        model.input.ExecutionRoleArn ?? '',
        state.site.region,
      );
      // The name may have been taken while the input was looked at.
      if (state.jobs.get(input.TransformJobName)) throw jobNameTaken(arn);
      requireTransformInstances(state, InstanceType, InstanceCount);
      const now = state.clock.now();
      state.running.start(
        { arn, status: 'InProgress', creationTimeMs: now, lastModifiedTimeMs: now, input },
        model,
        fault,
      );
      return { TransformJobArn: arn };
    },
  }),
  /** Echoes the request with the service's defaults; payload, concurrency and strategy have no default and stay absent if not given. */
  action('DescribeTransformJob', {
    input: z.strictObject({ TransformJobName: z.string() }),
    permissions: onOne(state, 'transform-job'),
    run: (asked) => {
      const job = requireJob(state, asked.TransformJobName);
      const { Tags: _tags, ...input } = job.input;
      return {
        ...input,
        TransformJobArn: job.arn,
        TransformJobStatus: job.status,
        FailureReason: job.failureReason,
        TransformInput: { CompressionType: 'None', SplitType: 'None', ...input.TransformInput },
        TransformOutput: { AssembleWith: 'None', KmsKeyId: '', ...input.TransformOutput },
        DataProcessing: { InputFilter: '$', OutputFilter: '$', JoinSource: 'None', ...input.DataProcessing },
        CreationTime: new Date(job.creationTimeMs),
        TransformStartTime: toDate(job.transformStartTimeMs),
        TransformEndTime: toDate(job.transformEndTimeMs),
      };
    },
  }),
  /** Jobs, by default newest first, ten at a time. */
  action('ListTransformJobs', {
    input: ListChangingInput.extend({ StatusEquals: TransformJobStatus.optional() }),
    permissions: onAll,
    run: (input) => {
      const jobs = [...state.jobs.values()].filter(({ status }) => status === (input.StatusEquals ?? status));
      const page = listPage(jobs, input, (job) => ({ ...job, name: job.input.TransformJobName }));
      return {
        TransformJobSummaries: page.items.map((job) => ({
          TransformJobName: job.input.TransformJobName,
          TransformJobArn: job.arn,
          CreationTime: new Date(job.creationTimeMs),
          TransformEndTime:
            job.transformEndTimeMs === undefined ? undefined : new Date(job.transformEndTimeMs),
          LastModifiedTime: new Date(job.lastModifiedTimeMs),
          TransformJobStatus: job.status,
          FailureReason: job.failureReason,
        })),
        NextToken: page.nextToken,
      };
    },
  }),
  /** Asks a job to stop: `Stopping` at once, `Stopped` when its containers have gone. */
  action('StopTransformJob', {
    input: z.strictObject({ TransformJobName: z.string() }),
    permissions: onOne(state, 'transform-job'),
    run: ({ TransformJobName: name }) => {
      const job = state.jobs.get(name);
      if (!job) throw validationException(`Could not find job to update with name ${name}`);
      if (job.status === 'Stopping') return;
      if (job.status !== 'InProgress')
        throw validationException(
          `The request was rejected because the transform job is in status ${job.status}.`,
        );
      state.running.stop(name);
    },
  }),
];

function checkSettings(input: JobInput): void {
  const refuse = (message: string): never => {
    throw validationException(message);
  };
  const {
    MaxConcurrentTransforms: concurrency,
    MaxPayloadInMB: payload = 6,
    TransformInput,
    TransformOutput,
  } = input;
  if (concurrency !== undefined && concurrency * payload > 100)
    refuse(
      `The product of MaxConcurrentTransforms and MaxPayloadInMB must be at most 100 MB: ${concurrency} * ${payload} ` +
        `= ${concurrency * payload}`,
    );
  if (TransformInput.DataSource.S3DataSource.S3DataType === 'AugmentedManifestFile')
    refuse('AugmentedManifestFile is not supported for transform jobs');
  for (const uri of [TransformInput.DataSource.S3DataSource.S3Uri, TransformOutput.S3OutputPath]) {
    if (parseS3Uri(uri) === undefined) refuse(`${uri} must be an S3 URI of the form s3://bucket/key`);
  }
  const { InputFilter = '$', OutputFilter = '$', JoinSource = 'None' } = input.DataProcessing ?? {};
  for (const path of [InputFilter, OutputFilter]) checkPath(path, refuse);
  if (JoinSource === 'None' && InputFilter === '$' && OutputFilter === '$') return;
  if (
    resolveRecordFormat(TransformInput.ContentType) === undefined &&
    TransformInput.ContentType === TransformOutput.Accept
  )
    refuse(
      `DataProcessing needs ContentType text/csv, application/json or application/jsonlines, is ${TransformInput.ContentType ?? 'none'}`,
    );
  if (TransformInput.ContentType !== TransformOutput.Accept)
    refuse(
      `DataProcessing needs the same ContentType and Accept, are ${TransformInput.ContentType ?? 'none'} and ` +
        `${TransformOutput.Accept ?? 'none'}`,
    );
  if ((TransformInput.SplitType ?? 'None') !== (TransformOutput.AssembleWith ?? 'None'))
    refuse(
      `DataProcessing needs the same SplitType and AssembleWith, are ${TransformInput.SplitType ?? 'None'} and ` +
        `${TransformOutput.AssembleWith ?? 'None'}`,
    );
  if (resolveRecordFormat(TransformInput.ContentType) === 'csv' && TransformInput.SplitType !== 'Line')
    refuse(
      `DataProcessing of text/csv needs SplitType and AssembleWith Line, are ${TransformInput.SplitType ?? 'None'} ` +
        `and ${TransformOutput.AssembleWith ?? 'None'}`,
    );
}

function checkPath(path: string, refuse: (message: string) => never): void {
  try {
    parseJsonPath(path);
  } catch (error) {
    refuse(`Invalid JSONPath in DataProcessing: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toDate(timeMs: number | undefined): Date | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs);
}
