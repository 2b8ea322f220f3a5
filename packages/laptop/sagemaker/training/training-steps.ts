import type { SecondaryStatus, TrainingJobRecord } from './training-job-record.ts';

const MESSAGES: Readonly<Record<SecondaryStatus, string>> = {
  Starting: 'Starting the training job',
  Downloading: 'Downloading input data',
  Training: 'Training image download completed. Training in progress.',
  Uploading: 'Uploading generated training model',
  Stopping: 'Stopping the training job',
  Stopped: 'Training job stopped',
  MaxRuntimeExceeded: 'Training job runtime exceeded MaxRuntimeInSeconds provided',
  MaxWaitTimeExceeded: 'Training job wait time exceeded MaxWaitTimeInSeconds provided',
  Interrupted: 'The job stopped because the managed spot training instances were interrupted.',
  Completed: 'Training job completed',
  Failed: 'Training job failed',
};

/** Final statuses of a job. */
const LAST: ReadonlySet<SecondaryStatus> = new Set([
  'Completed',
  'Failed',
  'Stopped',
  'MaxRuntimeExceeded',
  'MaxWaitTimeExceeded',
]);

/** A job that begins now. */
export function newTraining(
  { arn, input }: Pick<TrainingJobRecord, 'arn' | 'input'>,
  nowMs: number,
): TrainingJobRecord {
  return {
    arn,
    input,
    status: 'InProgress',
    transitions: [{ status: 'Starting', message: MESSAGES.Starting, startTimeMs: nowMs }],
    metrics: [],
    creationTimeMs: nowMs,
    lastModifiedTimeMs: nowMs,
  };
}

/** The job as it enters the next step: the previous step is done, and a final step completes the job. */
export function withStep(job: TrainingJobRecord, step: SecondaryStatus, nowMs: number): TrainingJobRecord {
  const past = job.transitions.map((transition) => ({
    ...transition,
    endTimeMs: transition.endTimeMs ?? nowMs,
  }));
  const isLast = LAST.has(step);
  const next = {
    status: step,
    message: MESSAGES[step],
    startTimeMs: nowMs,
    ...(isLast && { endTimeMs: nowMs }),
  };
  return {
    ...job,
    ...(isLast && { trainingEndTimeMs: nowMs }),
    transitions: [...past, next],
    lastModifiedTimeMs: nowMs,
  };
}
