import type { Clock } from '../../kernel/clock.ts';
import type { BusEvent, EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import type { TrainingFault } from '../faults.ts';
import { FAILURE, failureReasonOf } from '../jobs/job-failure.ts';
import { createJobsAtWork } from '../jobs/jobs-at-work.ts';
import { describeJob } from './describe-job.ts';
import {
  type CreateTrainingJobInput,
  type FinalMetric,
  maxRuntimeSeconds,
  type SecondaryStatus,
  type TrainingJobRecord,
} from './training-job-record.ts';
import { newTraining, withStep } from './training-steps.ts';

/** The times of a job's StoppingCondition. */
interface TimeLimits {
  /** Counts the time of the script against MaxRuntimeInSeconds, until what is returned is called. */
  readonly startRuntime: () => () => void;
  /** The job has ended: nothing exceeds a limit any more. */
  readonly end: () => void;
}

/**
 * MaxWaitTimeInSeconds runs from now on.
 *
 * @param exceeded called when a limit is reached
 */
function startTimeLimits(
  input: CreateTrainingJobInput,
  clock: Clock,
  exceeded: (limit: 'MaxRuntimeExceeded' | 'MaxWaitTimeExceeded') => void,
): TimeLimits {
  let runtimeLeftMs = maxRuntimeSeconds(input) * 1000;
  const waitSeconds = input.StoppingCondition?.MaxWaitTimeInSeconds;
  return {
    startRuntime() {
      const began = clock.now();
      const cancel = clock.after(runtimeLeftMs, () => exceeded('MaxRuntimeExceeded'));
      return () => {
        cancel();
        runtimeLeftMs -= clock.now() - began;
      };
    },
    end:
      waitSeconds === undefined
        ? () => undefined
        : clock.after(waitSeconds * 1000, () => exceeded('MaxWaitTimeExceeded')),
  };
}

/** A job before it has begun. */
type NewTraining = Pick<TrainingJobRecord, 'arn' | 'input'>;

/** Asks the job to stop; its results are kept. */
export class TrainingStopped extends Error {
  override readonly name = 'TrainingStopped';
  /** Final state of the job. */
  readonly end: 'Stopped' | 'MaxRuntimeExceeded' | 'MaxWaitTimeExceeded';

  constructor(end: TrainingStopped['end']) {
    super(`the job is being stopped: ${end}`);
    this.end = end;
  }
}

/** Reports of a job while it runs. */
export interface TrainingProgress extends Pick<TimeLimits, 'startRuntime'> {
  /** Aborted with `TrainingStopped`, or with another reason when the stack itself stops. */
  readonly stop: AbortSignal;
  /** The job has come to its next step; with the first of them billing starts. */
  enter(step: 'Downloading' | 'Training' | 'Uploading' | 'Interrupted' | 'Starting'): void;
  /** The last value of each metric, before the job finishes. */
  measured(metrics: readonly FinalMetric[]): void;
}

interface RunningTrainingsOptions {
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

/** The training jobs that this process runs. */
export class RunningTrainings {
  readonly #options: RunningTrainingsOptions;
  readonly #atWork = createJobsAtWork();
  /** Resolves when no job runs any more. */
  readonly idle = this.#atWork.idle;
  /** Aborts every job and resolves when all have ended. */
  readonly close = this.#atWork.close;

  /** Jobs that an earlier process left running are failed before any new one starts. */
  constructor(options: RunningTrainingsOptions) {
    this.#options = options;
    for (const { status, input } of [...options.jobs.values()])
      if (status === 'InProgress' || status === 'Stopping')
        this.#fail(input.TrainingJobName, FAILURE.internal);
  }

  /** Records the job and sets it going. */
  start({ arn, input }: NewTraining, fault: TrainingFault | undefined): void {
    const { jobs, bus, clock } = this.#options;
    const name = input.TrainingJobName;
    const job = newTraining({ arn, input }, clock.now());
    jobs.set(name, job);
    void bus.put(toTrainingEvent(job));
    this.#atWork.start(name, (signal) => this.#work(job, fault, signal));
  }

  /** The job must be in progress. */
  stop(name: string, end: TrainingStopped['end'] = 'Stopped'): void {
    if (this.#options.jobs.get(name)?.status !== 'InProgress') return;
    this.#enter(name, 'Stopping', { status: 'Stopping' });
    this.#atWork.abort(name, new TrainingStopped(end));
  }

  async #work(job: TrainingJobRecord, fault: TrainingFault | undefined, signal: AbortSignal): Promise<void> {
    const { jobs, clock, run } = this.#options;
    const name = job.input.TrainingJobName;
    const started = (): Partial<TrainingJobRecord> =>
      jobs.get(name)?.trainingStartTimeMs === undefined ? { trainingStartTimeMs: clock.now() } : {};
    const finish = (): void => {
      const reason: unknown = signal.reason;
      if (reason instanceof TrainingStopped) this.#enter(name, reason.end, { status: 'Stopped' });
      else this.#enter(name, 'Completed', { status: 'Completed' });
    };
    const limits = startTimeLimits(job.input, clock, (limit) => this.stop(name, limit));
    try {
      await run(job, fault, {
        stop: signal,
        enter: (step) => this.#enter(name, step, started()),
        measured: (metrics) => {
          const current = jobs.get(name);
          if (current && !this.#atWork.isClosing()) jobs.set(name, { ...current, metrics: [...metrics] });
        },
        startRuntime: limits.startRuntime,
      });
      finish();
    } catch (error) {
      if (signal.aborted && error === signal.reason) return finish();
      this.#fail(name, failureReasonOf(error, `training job ${name}`));
    } finally {
      limits.end();
    }
  }

  #enter(name: string, step: SecondaryStatus, changes: Partial<TrainingJobRecord> = {}): void {
    const { jobs, bus, clock } = this.#options;
    const job = jobs.get(name);
    if (!job || this.#atWork.isClosing()) return;
    const changed = withStep({ ...job, ...changes }, step, clock.now());
    jobs.set(name, changed);
    void bus.put(toTrainingEvent(changed));
  }

  #fail(name: string, failureReason: string): void {
    this.#enter(name, 'Failed', { status: 'Failed', failureReason });
  }
}

/** `SageMaker Training Job State Change`: the job as it is described, with times in epoch milliseconds. */
function toTrainingEvent(job: TrainingJobRecord): BusEvent {
  const tags = Object.fromEntries((job.input.Tags ?? []).map(({ Key, Value }) => [Key, Value]));
  return {
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Training Job State Change',
    resources: [job.arn],
    timeMs: job.lastModifiedTimeMs,
    detail: { ...describeJob(job, (timeMs) => timeMs), Tags: tags },
  };
}
