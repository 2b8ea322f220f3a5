import type { ObjectStore } from '../aws/object-store.ts';
import { bucketLayout } from '../drop/bucket-layout.ts';
import type { RunParts } from '../drop/run-id.ts';
import { parseRunId } from '../drop/run-id.ts';
import { Report } from '../report/report.ts';
import { UsageError } from './usage-error.ts';

/** Reads a run's report.json; undefined before there is one. */
export async function readReport(store: ObjectStore, run: RunParts): Promise<Report | undefined> {
  const text = await store.readText(bucketLayout.reportJson(run));
  return text === undefined ? undefined : Report.parse(JSON.parse(text));
}

/** @throws {UsageError} for text that names no run */
export function toRun(text: string): RunParts {
  const run = parseRunId(text);
  if (run) return run;
  throw new UsageError(`RUN must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001, is ${text}`);
}

/** Whether a run gave what was asked for: the exit code of commands that wait. */
export function isSuccess({ status }: Report): boolean {
  return status === 'completed' || status === 'completed-with-errors' || status === 'empty';
}
