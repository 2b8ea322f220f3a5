import type { Clock } from '../../kernel/clock.ts';
import { type CreateTrainingJobInput, maxRuntimeSeconds } from './training-job-record.ts';

/** The times of a job's StoppingCondition. */
export interface TimeLimits {
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
export function startTimeLimits(
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
