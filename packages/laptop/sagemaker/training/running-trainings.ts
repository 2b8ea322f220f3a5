import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import { FAILURE, failureReasonOf } from '../jobs/job-failure.ts';
import { createJobsAtWork, type JobsAtWork } from '../jobs/jobs-at-work.ts';
import { toTrainingEvent } from './training-event.ts';
import type { TrainingFault } from './training-faults.ts';
import {
  type FinalMetric,
  maxRuntimeSeconds,
  type SecondaryStatus,
  type TrainingJobRecord,
} from './training-job-record.ts';

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
export interface TrainingProgress {
  /** Aborted with `TrainingStopped`, or with another reason when the stack itself ends. */
  readonly stop: AbortSignal;
  /** The job has come to its next step; with the first of them billing starts. */
  enter(step: 'Downloading' | 'Training' | 'Uploading' | 'Interrupted' | 'Starting'): void;
  /** The last value of each metric, before the job ends. */
  measured(metrics: readonly FinalMetric[]): void;
  /** Counts the time of the script against MaxRuntimeInSeconds, until what is returned is called. */
  startRuntime(): () => void;
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

/** What the service says of each step. */
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

/** What a job ends with. */
const LAST: ReadonlySet<SecondaryStatus> = new Set([
  'Completed',
  'Failed',
  'Stopped',
  'MaxRuntimeExceeded',
  'MaxWaitTimeExceeded',
]);

/** Jobs that an earlier process left running are failed before any new one starts. */
export function createRunningTrainings({ jobs, bus, clock, run }: RunningTrainingsOptions): RunningTrainings {
  const atWork = createJobsAtWork();

  const enter = (name: string, step: SecondaryStatus, changes: Partial<TrainingJobRecord> = {}): void => {
    const job = jobs.get(name);
    if (!job || atWork.isClosing()) return;
    const now = clock.now();
    const past = job.transitions.map((transition) => ({
      ...transition,
      endTimeMs: transition.endTimeMs ?? now,
    }));
    const isLast = LAST.has(step);
    const next = {
      status: step,
      message: MESSAGES[step],
      startTimeMs: now,
      ...(isLast && { endTimeMs: now }),
    };
    const changed = {
      ...job,
      ...changes,
      ...(isLast && { trainingEndTimeMs: now }),
      transitions: [...past, next],
      lastModifiedTimeMs: now,
    };
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
    let runtimeLeftMs = maxRuntimeSeconds(job.input) * 1000;
    const waitSeconds = job.input.StoppingCondition?.MaxWaitTimeInSeconds;
    const endWaiting =
      waitSeconds === undefined
        ? () => undefined
        : clock.after(waitSeconds * 1000, () => stop(name, 'MaxWaitTimeExceeded'));
    try {
      await run(job, fault, {
        stop: signal,
        enter: (step) => enter(name, step, started()),
        measured: (metrics) => {
          const current = jobs.get(name);
          if (current && !atWork.isClosing()) jobs.set(name, { ...current, metrics: [...metrics] });
        },
        startRuntime() {
          const began = clock.now();
          const cancel = clock.after(runtimeLeftMs, () => stop(name, 'MaxRuntimeExceeded'));
          return () => {
            cancel();
            runtimeLeftMs -= clock.now() - began;
          };
        },
      });
      finish();
    } catch (error) {
      if (signal.aborted && error === signal.reason) return finish();
      fail(name, failureReasonOf(error, `training job ${name}`));
    } finally {
      endWaiting();
    }
  };

  return {
    start({ arn, input }, fault) {
      const name = input.TrainingJobName;
      const now = clock.now();
      const job: TrainingJobRecord = {
        arn,
        input,
        status: 'InProgress',
        transitions: [{ status: 'Starting', message: MESSAGES.Starting, startTimeMs: now }],
        metrics: [],
        creationTimeMs: now,
        lastModifiedTimeMs: now,
      };
      jobs.set(name, job);
      void bus.put(toTrainingEvent(job));
      atWork.start(name, (signal) => work(job, fault, signal));
    },
    stop: (name) => stop(name, 'Stopped'),
    idle: atWork.idle,
    close: atWork.close,
  };
}
