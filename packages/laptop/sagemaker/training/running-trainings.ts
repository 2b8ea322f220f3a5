import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import { FAILURE, failureReasonOf } from '../jobs/job-failure.ts';
import { createJobsAtWork, type JobsAtWork } from '../jobs/jobs-at-work.ts';
import { startTimeLimits, type TimeLimits } from './time-limits.ts';
import { toTrainingEvent } from './training-event.ts';
import type { TrainingFault } from './training-faults.ts';
import type { FinalMetric, SecondaryStatus, TrainingJobRecord } from './training-job-record.ts';
import { newTraining, withStep } from './training-steps.ts';

/** The training jobs that this process runs. */
export interface RunningTrainings extends Pick<JobsAtWork, 'idle' | 'close'> {
  /** Records the job and sets it going. */
  start(job: NewTraining, fault: TrainingFault | undefined): void;
  /** The job must be in progress. */
  stop(name: string): void;
}

/** A job before it has begun. */
type NewTraining = Pick<TrainingJobRecord, 'arn' | 'input'>;

/** The job is asked to end, and keeps what it has. */
export class TrainingStopped extends Error {
  override readonly name = 'TrainingStopped';
  /** How the job ends. */
  readonly end: 'Stopped' | 'MaxRuntimeExceeded' | 'MaxWaitTimeExceeded';

  constructor(end: TrainingStopped['end']) {
    super(`the job is being stopped: ${end}`);
    this.end = end;
  }
}

/** What a job reports while it runs. */
export interface TrainingProgress extends Pick<TimeLimits, 'startRuntime'> {
  /** Aborted with `TrainingStopped`, or with another reason when the stack itself ends. */
  readonly stop: AbortSignal;
  /** The job has come to its next step; with the first of them billing starts. */
  enter(step: 'Downloading' | 'Training' | 'Uploading' | 'Interrupted' | 'Starting'): void;
  /** The last value of each metric, before the job ends. */
  measured(metrics: readonly FinalMetric[]): void;
}

export interface RunningTrainingsOptions {
  readonly jobs: Documents<TrainingJobRecord>;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Does the work; throws `JobFailure` with the reason that the job shows. */
  readonly run: (
    job: TrainingJobRecord,
    fault: TrainingFault | undefined,
    progress: TrainingProgress,
  ) => Promise<void>;
}

/** Jobs that an earlier process left running are failed before any new one starts. */
export function createRunningTrainings({ jobs, bus, clock, run }: RunningTrainingsOptions): RunningTrainings {
  const atWork = createJobsAtWork();

  const enter = (name: string, step: SecondaryStatus, changes: Partial<TrainingJobRecord> = {}): void => {
    const job = jobs.get(name);
    if (!job || atWork.isClosing()) return;
    const changed = withStep({ ...job, ...changes }, step, clock.now());
    jobs.set(name, changed);
    void bus.put(toTrainingEvent(changed));
  };
  const fail = (name: string, failureReason: string): void =>
    enter(name, 'Failed', { status: 'Failed', failureReason });

  for (const { status, input } of [...jobs.values()])
    if (status === 'InProgress' || status === 'Stopping') fail(input.TrainingJobName, FAILURE.internal);

  const stop = (name: string, end: TrainingStopped['end']): void => {
    if (jobs.get(name)?.status !== 'InProgress') return;
    enter(name, 'Stopping', { status: 'Stopping' });
    atWork.abort(name, new TrainingStopped(end));
  };

  const work = async (
    job: TrainingJobRecord,
    fault: TrainingFault | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const name = job.input.TrainingJobName;
    const started = (): Partial<TrainingJobRecord> =>
      jobs.get(name)?.trainingStartTimeMs === undefined ? { trainingStartTimeMs: clock.now() } : {};
    const finish = (): void => {
      const reason: unknown = signal.reason;
      if (reason instanceof TrainingStopped) enter(name, reason.end, { status: 'Stopped' });
      else enter(name, 'Completed', { status: 'Completed' });
    };
    const limits = startTimeLimits(job.input, clock, (limit) => stop(name, limit));
    try {
      await run(job, fault, {
        stop: signal,
        enter: (step) => enter(name, step, started()),
        measured: (metrics) => {
          const current = jobs.get(name);
          if (current && !atWork.isClosing()) jobs.set(name, { ...current, metrics: [...metrics] });
        },
        startRuntime: limits.startRuntime,
      });
      finish();
    } catch (error) {
      if (signal.aborted && error === signal.reason) return finish();
      fail(name, failureReasonOf(error, `training job ${name}`));
    } finally {
      limits.end();
    }
  };

  return {
    start({ arn, input }, fault) {
      const name = input.TrainingJobName;
      const job = newTraining({ arn, input }, clock.now());
      jobs.set(name, job);
      void bus.put(toTrainingEvent(job));
      atWork.start(name, (signal) => work(job, fault, signal));
    },
    stop: (name) => stop(name, 'Stopped'),
    idle: atWork.idle,
    close: atWork.close,
  };
}
