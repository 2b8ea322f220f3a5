import { action } from '../../kernel/action.ts';
import { AwsError, validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, usingVolumeKey } from '../asked-of-role.ts';
import { limitExceeded, requireTransformInstances } from '../instance-quota.ts';
import { checkInputExists } from '../jobs/input-objects.ts';
import { jobNameTaken } from '../jobs/job-name-taken.ts';
import { parseS3Uri } from '../jobs/s3-uri.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { resolveRecordFormat } from '../transform/data-processing/record-format.ts';
import { parseJsonPath } from '../transform/data-processing/record-path.ts';
import {
  CreateTransformJobInput,
  type CreateTransformJobInput as JobInput,
} from '../transform-job-record.ts';

/** Checks everything that the service checks at once, then starts the job; the answer does not wait for it. */
export const createTransformJob = (state: SageMakerState) =>
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
        if (container?.ModelDataSource) {
          throw validationException(
            "SageMaker Batch currently doesn't support Model entity with container definitions which use ModelDataSource attribute",
          );
        }
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
  });

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
  if (concurrency !== undefined && concurrency * payload > 100) {
    refuse(
      `The product of MaxConcurrentTransforms and MaxPayloadInMB must be at most 100 MB: ${concurrency} * ${payload} ` +
        `= ${concurrency * payload}`,
    );
  }
  if (TransformInput.DataSource.S3DataSource.S3DataType === 'AugmentedManifestFile') {
    refuse('AugmentedManifestFile is not supported for transform jobs');
  }
  for (const uri of [TransformInput.DataSource.S3DataSource.S3Uri, TransformOutput.S3OutputPath]) {
    if (parseS3Uri(uri) === undefined) refuse(`${uri} must be an S3 URI of the form s3://bucket/key`);
  }
  const { InputFilter = '$', OutputFilter = '$', JoinSource = 'None' } = input.DataProcessing ?? {};
  for (const path of [InputFilter, OutputFilter]) checkPath(path, refuse);
  if (JoinSource === 'None' && InputFilter === '$' && OutputFilter === '$') return;
  if (
    resolveRecordFormat(TransformInput.ContentType) === undefined &&
    TransformInput.ContentType === TransformOutput.Accept
  ) {
    refuse(
      `DataProcessing needs ContentType text/csv, application/json or application/jsonlines, is ${TransformInput.ContentType ?? 'none'}`,
    );
  }
  if (TransformInput.ContentType !== TransformOutput.Accept) {
    refuse(
      `DataProcessing needs the same ContentType and Accept, are ${TransformInput.ContentType ?? 'none'} and ` +
        `${TransformOutput.Accept ?? 'none'}`,
    );
  }
  if ((TransformInput.SplitType ?? 'None') !== (TransformOutput.AssembleWith ?? 'None')) {
    refuse(
      `DataProcessing needs the same SplitType and AssembleWith, are ${TransformInput.SplitType ?? 'None'} and ` +
        `${TransformOutput.AssembleWith ?? 'None'}`,
    );
  }
  if (resolveRecordFormat(TransformInput.ContentType) === 'csv' && TransformInput.SplitType !== 'Line') {
    refuse(
      `DataProcessing of text/csv needs SplitType and AssembleWith Line, are ${TransformInput.SplitType ?? 'None'} ` +
        `and ${TransformOutput.AssembleWith ?? 'None'}`,
    );
  }
}

function checkPath(path: string, refuse: (message: string) => never): void {
  try {
    parseJsonPath(path);
  } catch (error) {
    refuse(`Invalid JSONPath in DataProcessing: ${error instanceof Error ? error.message : String(error)}`);
  }
}
