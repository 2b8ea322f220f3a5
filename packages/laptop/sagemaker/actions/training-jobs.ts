import * as z from 'zod';
import { TrainingRefused } from '@inferdrop/training-container/training-request';
import { action } from '../../kernel/action.ts';
import { AwsError, validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, onAll, onOne, passing, usingVolumeKey } from '../asked-of-role.ts';
import { limitExceeded, requireTrainingInstances } from '../instance-quota.ts';
import { checkInputExists } from '../jobs/input-objects.ts';
import { ListChangingInput, listPage } from '../list-page.ts';
import { objectsAsRole } from '../objects-as-role.ts';
import { jobNameTaken, requireTrainingJob, requireTrust } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { MAX_TAGS, mergeTags, type Tags } from '../tags.ts';
import { checkTraining } from '../training/check-training.ts';
import { describeJob, secondaryStatus } from '../training/describe-job.ts';
import { CreateTrainingJobInput, TrainingJobStatus } from '../training/training-job-record.ts';
import {
  parseTrainingImage,
  runtimeText,
  type TrainingRuntime,
  versionProblem,
} from '../training/training-runtime.ts';

/** Calls on training jobs. */
export const trainingJobActions = (state: SageMakerState) => [
  /** Checks everything that the service checks at once, then starts the job; the answer does not wait for it. */
  action('CreateTrainingJob', {
    input: CreateTrainingJobInput,
    permissions: asking((asked, name) => [
      ...making(state, 'training-job', asked, name),
      ...passing(asked),
      ...usingVolumeKey(state, asked.ResourceConfig?.VolumeKmsKeyId, asked.RoleArn),
    ]),
    run: async (input) => {
      const { TrainingJobName: name, RoleArn: roleArn } = input;
      const arn = toArn(state.site, 'training-job', name);
      if (state.trainingJobs.get(name)) throw jobNameTaken(arn);
      checkTraining(input);
      const runtime = await requireRuntime(state, input);
      requireTrust(state, arn, roleArn);
      const fault = state.faults.training?.(name);
      if (fault === 'throttle') throw new AwsError('ThrottlingException', 'Rate exceeded');
      const { InstanceType: type = '', InstanceCount: count = 0 } = input.ResourceConfig;
      if (fault === 'limit') throw limitExceeded('training job', type, { quota: 0, used: 0, asked: count });
      const objects = state.roles
        ? objectsAsRole(state.objects, roleArn, state.site, state.roles)
        : state.objects;
      for (const { DataSource } of input.InputDataConfig ?? [])
        await checkInputExists(objects, DataSource.S3DataSource, roleArn, state.site.region);
      // The name may have been taken while the input was looked at.
      if (state.trainingJobs.get(name)) throw jobNameTaken(arn);
      requireTrainingInstances(state, type, count);
      state.runningTrainings.start(
        { arn, input: { ...input, Tags: withRuntime(input.Tags, runtime) } },
        fault,
      );
      return { TrainingJobArn: arn };
    },
  }),
  /** Echoes the request, with how far the job has come. */
  action('DescribeTrainingJob', {
    input: z.strictObject({ TrainingJobName: z.string() }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name }) =>
      describeJob(requireTrainingJob(state, name), (timeMs) => new Date(timeMs)),
  }),
  /** Newest first, ten at a time by default. With `StatusEquals` the page is cut first and filtered then, as in AWS. */
  action('ListTrainingJobs', {
    input: ListChangingInput.extend({ StatusEquals: TrainingJobStatus.optional() }),
    permissions: onAll,
    run: (input) => {
      const page = listPage(state.trainingJobs.values(), input, (job) => ({
        ...job,
        name: job.input.TrainingJobName,
      }));
      return {
        TrainingJobSummaries: page.items
          .filter((job) => input.StatusEquals === undefined || job.status === input.StatusEquals)
          .map((job) => ({
            TrainingJobName: job.input.TrainingJobName,
            TrainingJobArn: job.arn,
            CreationTime: new Date(job.creationTimeMs),
            TrainingEndTime:
              job.trainingEndTimeMs === undefined ? undefined : new Date(job.trainingEndTimeMs),
            LastModifiedTime: new Date(job.lastModifiedTimeMs),
            TrainingJobStatus: job.status,
            SecondaryStatus: secondaryStatus(job),
          })),
        NextToken: page.nextToken,
      };
    },
  }),
  /** Asks a job to stop: `Stopping` at once, `Stopped` when its hosts have ended and what they left is uploaded. */
  action('StopTrainingJob', {
    input: z.strictObject({ TrainingJobName: z.string() }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name }) => {
      const { status } = requireTrainingJob(state, name);
      if (status === 'Stopping') return;
      if (status !== 'InProgress')
        throw validationException(
          `The request was rejected because the training job is in status ${status}.`,
        );
      state.runningTrainings.stop(name);
    },
  }),
  /** Forgets a job that has ended; its name is free again, its objects stay. */
  action('DeleteTrainingJob', {
    input: z.strictObject({ TrainingJobName: z.string() }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name }) => {
      const { status } = requireTrainingJob(state, name);
      if (status === 'InProgress' || status === 'Stopping')
        throw new AwsError('ResourceInUse', `Training job ${name} cannot be deleted in status ${status}`);
      state.trainingJobs.delete(name);
    },
  }),
];

/** @throws {AwsError} `ValidationException` where this machine has nothing that can stand in for the image */
async function requireRuntime(
  { trainingHosts, anyFrameworkVersion }: SageMakerState,
  { AlgorithmSpecification, HyperParameters = {} }: CreateTrainingJobInput,
): Promise<TrainingRuntime> {
  const image = parseTrainingImage(AlgorithmSpecification.TrainingImage ?? '');
  if (image === undefined) throw new Error('checkTraining has let an unknown image pass');
  const refuse = (problem: string): never => {
    throw validationException(`This stack cannot run the job: ${problem}`);
  };
  try {
    const runtime = await trainingHosts.runtimeOf({ ...image, hyperparameters: HyperParameters });
    const problem = anyFrameworkVersion ? undefined : versionProblem(image, runtime);
    return problem === undefined ? runtime : refuse(`${problem}, or with --any-framework-version`);
  } catch (error) {
    if (error instanceof TrainingRefused) return refuse(error.message);
    throw error;
  }
}

/** The tag that names the actual runtime, if the job has room for one more. */
function withRuntime(tags: Tags = [], runtime: TrainingRuntime): Tags {
  const marked = mergeTags(tags, [{ Key: 'inferdrop:runtime', Value: runtimeText(runtime) }]);
  return marked.length > MAX_TAGS ? tags : marked;
}
