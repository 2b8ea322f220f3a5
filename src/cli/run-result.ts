import type { Report } from '../report/report.ts';
import { parseRunId, type RunParts } from '../run/run-id.ts';
import { UsageError } from './usage-error.ts';

/** @throws {UsageError} for text that is not the name of a run */
export function toRun(text: string): RunParts {
  const run = parseRunId(text);
  if (run) return run;
  throw new UsageError(`RUN must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001, is ${text}`);
}

/**
 * Exit codes of commands that wait for a run; 2 is that of a wrong command line. A failed gate has its own code, since the run's
 * predictions exist.
 */
export const EXIT = { success: 0, failure: 1, gateFailed: 3 } as const;

/** The exit code for the end of a run. */
export function exitCode({ status, gate }: Pick<Report, 'status' | 'gate'>): number {
  if (status === 'failed' || status === 'refused') return EXIT.failure;
  return gate.verdict === 'failed' ? EXIT.gateFailed : EXIT.success;
}
