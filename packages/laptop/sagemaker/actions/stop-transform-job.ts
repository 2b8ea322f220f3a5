import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TransformJobName } from '../transform-job-record.ts';

/** Asks a job to stop: `Stopping` at once, `Stopped` when its containers have gone. */
export const stopTransformJob = (state: SageMakerState) =>
  action('StopTransformJob', {
    input: z.strictObject({ TransformJobName }),
    permissions: onOne(state, 'transform-job'),
    run: ({ TransformJobName: name }) => {
      const job = state.jobs.get(name);
      if (!job) throw validationException(`Could not find job to update with name ${name}`);
      if (job.status === 'Stopping') return;
      if (job.status !== 'InProgress') {
        throw validationException(
          `The request was rejected because the transform job is in status ${job.status}.`,
        );
      }
      state.running.stop(name);
    },
  });
