import type { TrainingJobDescription } from '../../aws/sagemaker/training-jobs.ts';
import { jobFailure } from '../../problem/aws-words.ts';
import { attemptCost } from '../../training/attempt-cost.ts';
import type { TrainingJobRecord } from '../../training/training-job-record.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';

/** The record of a training job, updated by SageMaker's description of it. */
export function withTrainingJob(
  record: TrainingJobRecord,
  job: TrainingJobDescription,
  plan: TrainingPlan,
  now: Date,
): TrainingJobRecord {
  const { failureReason, startedAt, endedAt, trainingSeconds, billableSeconds, secondaryStatus } = job;
  const status = job.status === 'Deleting' ? 'Stopping' : job.status;
  const capacity = status === 'Failed' && jobFailure(failureReason) === 'capacity';
  const seen: TrainingJobRecord = {
    ...record,
    status,
    secondaryStatus,
    instanceType: job.instanceType,
    instanceCount: job.instanceCount,
    ...(failureReason !== undefined && { failureReason }),
    ...(capacity && { capacity }),
    ...(startedAt !== undefined && { startedAt: startedAt.toISOString() }),
    ...(endedAt !== undefined && { endedAt: endedAt.toISOString() }),
    ...(trainingSeconds !== undefined && { trainingSeconds }),
    ...(billableSeconds !== undefined && { billableSeconds }),
    ...(job.artifact !== '' && { artifact: job.artifact }),
    phases: job.transitions.map(({ status: phase, message, ...times }) => ({
      status: phase,
      startedAt: times.startedAt.toISOString(),
      ...(times.endedAt !== undefined && { endedAt: times.endedAt.toISOString() }),
      ...(message !== undefined && { message }),
    })),
  };
  return { ...seen, costUsd: attemptCost(seen, plan, now) };
}
