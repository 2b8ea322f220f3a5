import type { Ending } from './engine/execution.ts';
import type { Ended } from './store/execution-file.ts';

/** An ending as it is stored. */
export function endedBy(ending: Ending, stopMs: number): Ended {
  if (ending.status === 'SUCCEEDED') return { status: ending.status, stopMs, output: ending.output };
  const { status, error, cause } = ending;
  return {
    status,
    stopMs,
    ...(error === undefined ? {} : { error }),
    ...(cause === undefined ? {} : { cause }),
  };
}
