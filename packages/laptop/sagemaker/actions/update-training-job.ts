import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { secondaryStatus } from '../training/describe-job.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

const Settings = z.record(z.string(), z.unknown());

/** Changes what is recorded of profiler and remote debugging; warm pools are not emulated. */
export const updateTrainingJob = (state: SageMakerState) =>
  action('UpdateTrainingJob', {
    input: z.strictObject({
      TrainingJobName,
      ProfilerConfig: Settings.optional(),
      ProfilerRuleConfigurations: z.array(Settings).optional(),
      RemoteDebugConfig: Settings.optional(),
    }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name, ...changes }) => {
      const job = requireTrainingJob(state, name);
      if (job.status !== 'InProgress')
        throw new AwsError(
          'ValidationException',
          `The request was rejected because the training job is in status ${job.status}.`,
        );
      const step = secondaryStatus(job);
      if (changes.RemoteDebugConfig !== undefined && step !== 'Downloading' && step !== 'Training')
        throw new AwsError(
          'ValidationException',
          `RemoteDebugConfig can be updated while SecondaryStatus is Downloading or Training, it is ${step}`,
        );
      const { ProfilerConfig, RemoteDebugConfig } = job.input;
      state.trainingJobs.set(name, {
        ...job,
        lastModifiedTimeMs: state.clock.now(),
        input: {
          ...job.input,
          ...changes,
          ...(changes.ProfilerConfig && { ProfilerConfig: { ...ProfilerConfig, ...changes.ProfilerConfig } }),
          ...(changes.RemoteDebugConfig && {
            RemoteDebugConfig: { ...RemoteDebugConfig, ...changes.RemoteDebugConfig },
          }),
        },
      });
      return { TrainingJobArn: job.arn };
    },
  });
