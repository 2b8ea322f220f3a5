import type { Clock } from '../../kernel/clock.ts';
import type { EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import type { JobFault } from '../faults.ts';
import { toJobEvent } from '../jobs/job-event.ts';
import { FAILURE, failureReasonOf } from '../jobs/job-failure.ts';
import { createJobsAtWork } from '../jobs/jobs-at-work.ts';
import type { ModelRecord } from '../model-record.ts';
import type { TransformJobRecord } from '../transform-job-record.ts';

/** The transform jobs that this process runs. */
export type RunningJobs = ReturnType<typeof createRunningJobs>;

/** StopTransformJob was called: the job stops without output. A job that's interrupted when the stack stops keeps its output. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/** Callbacks of a running job. */
export interface JobProgress {
  readonly stop: AbortSignal;
  /** Containers are healthy: billing starts. */
  started(): void;
  /** Stops the job like StopTransformJob. */
  requestStop(): void;
}

interface RunningJobsOptions {
  readonly jobs: Documents<TransformJobRecord>;
  readonly bus: EventBus;
  readonly clock: Clock;
  /** Does the work; throws `JobFailure` with the reason that the job shows. */
  readonly run: (
    job: TransformJobRecord,
    model: ModelRecord,
    fault: JobFault | undefined,
    progress: JobProgress,
  ) => Promise<void>;
}

/** Jobs that an earlier process left running are failed before any new one starts. */
export function createRunningJobs({ jobs, bus, clock, run }: RunningJobsOptions) {
  const atWork = createJobsAtWork();

  const change = (name: string, changes: Partial<TransformJobRecord>): void => {
    const job = jobs.get(name);
    if (!job || atWork.isClosing()) return;
    const changed = { ...job, ...changes, lastModifiedTimeMs: clock.now() };
    jobs.set(name, changed);
    if (changed.status !== job.status) void bus.put(toJobEvent(changed));
  };
  const end = (name: string, status: 'Completed' | 'Failed' | 'Stopped', failureReason?: string): void => {
    change(name, {
      status,
      transformEndTimeMs: clock.now(),
      ...(failureReason === undefined ? {} : { failureReason }),
    });
  };

  for (const { status, input } of [...jobs.values()]) {
    if (status === 'InProgress' || status === 'Stopping')
      end(input.TransformJobName, 'Failed', FAILURE.internal);
  }

  const requestStop = (name: string): void => {
    change(name, { status: 'Stopping' });
    atWork.abort(name, new StopRequested('the job is being stopped'));
  };

  const work = async (
    job: TransformJobRecord,
    model: ModelRecord,
    fault: JobFault | undefined,
    stop: AbortSignal,
  ): Promise<void> => {
    const name = job.input.TransformJobName;
    try {
      await run(job, model, fault, {
        stop,
        started: () => change(name, { transformStartTimeMs: clock.now() }),
        requestStop: () => requestStop(name),
      });
      end(name, stop.aborted ? 'Stopped' : 'Completed');
    } catch (error) {
      if (stop.aborted) return end(name, 'Stopped');
      end(name, 'Failed', failureReasonOf(error, `transform job ${name}`));
    }
  };

  return {
    /** Records the job and sets it going. */
    start(job: TransformJobRecord, model: ModelRecord, fault: JobFault | undefined): void {
      const name = job.input.TransformJobName;
      jobs.set(name, job);
      void bus.put(toJobEvent(job));
      atWork.start(name, (signal) => work(job, model, fault, signal));
    },
    /** The job must be in progress. */
    stop: requestStop,
    idle: atWork.idle,
    close: atWork.close,
  };
}
