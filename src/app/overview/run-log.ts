import type { LogData, LogRow } from '../../api/console/run-data.ts';
import type { TrainingLogs } from '../../aws/logs/training-log.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { hostOfStream } from '../../training/host-of-stream.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import { listTrainingJobRecords, readJobRecords } from '../records/jobs.ts';

/** Lines that a page shows; the newest are kept. */
const MAX_LINES = 2_000;

/** Services that read the logs of a run's jobs. */
interface RunLogServices {
  readonly store: ObjectStore;
  readonly logs: LogsByEngine;
  readonly trainingLogs: Pick<TrainingLogs, 'all'>;
}

/** The newest lines that the jobs of a run have written, later than `after` (UTC, ISO 8601; empty for all), oldest first. */
export async function runLog(
  run: RunParts,
  { after }: { readonly after: string },
  services: RunLogServices,
): Promise<LogData> {
  const lines: LogRow[] = [];
  let cut = false;
  for await (const line of LINES[run.kind](run, services)) {
    if (line.at <= after) continue;
    lines.push(line);
    if (lines.length <= 2 * MAX_LINES) continue;
    lines.splice(0, MAX_LINES);
    cut = true;
  }
  return { lines: lines.slice(-MAX_LINES), cut: cut || lines.length > MAX_LINES };
}

const LINES: ByRunKind<typeof jobLines> = { inference: jobLines, training: trainingLines };

async function* jobLines(run: RunParts, { store, logs }: RunLogServices): AsyncGenerator<LogRow> {
  for (const record of await readJobRecords(store, run)) {
    if (record.status === 'Planned') continue;
    for await (const { at, source, text } of logs[record.engine.name].all(record))
      yield { at: at.toISOString(), source, text };
  }
}

async function* trainingLines(
  run: RunParts,
  { store, trainingLogs }: RunLogServices,
): AsyncGenerator<LogRow> {
  for await (const { jobName, status } of listTrainingJobRecords(store, run)) {
    if (status === 'Planned') continue;
    for await (const { at, stream, text } of trainingLogs.all(jobName))
      yield { at: at.toISOString(), source: hostOfStream(stream) ?? 'host', text };
  }
}
