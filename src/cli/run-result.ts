import * as z from 'zod';
import type { ObjectStore } from '../aws/object-store.ts';
import { bucketLayout } from '../drop/bucket-layout.ts';
import { parseRunId } from '../drop/run-id.ts';
import type { RunParts } from '../drop/run-id.ts';
import { UsageError } from './usage-error.ts';

/** What commands show of a report. */
export const RunResult = z.object({
  run: z.string(),
  status: z.enum(['completed', 'completed-with-errors', 'failed', 'refused', 'empty']),
  total: z.number(),
  correct: z.number().nullable(),
  accuracy: z.number().nullable(),
  errors: z.number(),
  costUsd: z.number().nullable(),
  seconds: z.number().nullable(),
});
export type RunResult = z.infer<typeof RunResult>;

/** Reads a run's report.json; undefined before there is one. */
export async function readReport(store: ObjectStore, run: RunParts): Promise<unknown> {
  const text = await store.readText(bucketLayout.reportJson(run));
  return text === undefined ? undefined : JSON.parse(text);
}

/** @throws {UsageError} for text that names no run */
export function toRun(text: string): RunParts {
  const run = parseRunId(text);
  if (run) return run;
  throw new UsageError(`RUN must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001, is ${text}`);
}

/** Whether a run gave what was asked for: the exit code of commands that wait. */
export function isSuccess({ status }: RunResult): boolean {
  return status === 'completed' || status === 'completed-with-errors' || status === 'empty';
}
