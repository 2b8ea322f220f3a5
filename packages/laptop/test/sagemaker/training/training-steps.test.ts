import { expect, test } from 'vitest';
import {
  CreateTrainingJobInput,
  type SecondaryStatus,
} from '../../../sagemaker/training/training-job-record.ts';
import { newTraining, withStep } from '../../../sagemaker/training/training-steps.ts';

const INPUT = CreateTrainingJobInput.parse({
  TrainingJobName: 'job',
  RoleArn: 'arn:aws:iam::000000000000:role/training',
  AlgorithmSpecification: { TrainingInputMode: 'File' },
  OutputDataConfig: { S3OutputPath: 's3://bucket/out' },
  ResourceConfig: {},
});
const NEW = newTraining({ arn: 'arn', input: INPUT }, 1000);

test('a step ends the one before it', () => {
  const job = withStep(withStep(NEW, 'Downloading', 2000), 'Training', 3000);
  expect(job.transitions).toMatchObject([
    { status: 'Starting', startTimeMs: 1000, endTimeMs: 2000 },
    { status: 'Downloading', startTimeMs: 2000, endTimeMs: 3000 },
    { status: 'Training', startTimeMs: 3000 },
  ]);
  expect(job.transitions.at(-1)).not.toHaveProperty('endTimeMs');
  expect(job.lastModifiedTimeMs).toBe(3000);
});

test.each<[SecondaryStatus, boolean]>([
  ['Downloading', false],
  ['Training', false],
  ['Uploading', false],
  ['Interrupted', false],
  ['Stopping', false],
  ['Completed', true],
  ['Failed', true],
  ['Stopped', true],
  ['MaxRuntimeExceeded', true],
  ['MaxWaitTimeExceeded', true],
])('whether %s ends the job: %s', (step, isLast) => {
  const { trainingEndTimeMs, transitions } = withStep(NEW, step, 2000);
  expect(trainingEndTimeMs).toBe(isLast ? 2000 : undefined);
  expect(transitions.at(-1)?.endTimeMs).toBe(isLast ? 2000 : undefined);
});
