import type { LogData, LogRow } from '../../api/console/run-data.ts';
import type { MayRead } from '../../aws/logs/log-events.ts';
import type { TrainingLogs } from '../../aws/logs/training-log.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { RunParts } from '../../run/run-id.ts';
import type { ByRunKind } from '../../run/run-kind.ts';
import { hostOfStream } from '../../training/host-of-stream.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import { readJobRecords } from '../records/jobs.ts';
import { listTrainingJobRecords } from '../records/training-jobs.ts';

/** Lines that a page shows; the newest are kept. */
const MAX_LINES = 400;
/** Characters of a line that a page shows; CloudWatch Logs takes lines of a megabyte. */
const MAX_TEXT = 4_000;
/**
 * Lengths of time before the end that are read, until one holds enough lines: CloudWatch Logs gives a log only
 * from its beginning on, and a large job's has gigabytes.
 */
const WINDOWS_MS = [5 * 60_000, 2 * 3_600_000, Infinity];
/** Length of time that is read where the shortest of them has too many pages. */
const LAST_MS = 10_000;
/** Pages of CloudWatch Logs, at most a megabyte each, that one length of time may take in addition to each job's first one. */
const MAX_PAGES = 20;

/** Services that read the logs of a run's jobs. */
interface RunLogServices {
  readonly store: ObjectStore;
  readonly logs: LogsByEngine;
  readonly trainingLogs: Pick<TrainingLogs, 'all'>;
  readonly clock: () => Date;
}

/** A job that has written lines. */
interface LoggingJob {
  readonly startedAt: string;
  readonly endedAt: string | undefined;
  lines(since: Date, mayRead: MayRead): AsyncIterable<LogRow>;
}

/** The newest lines that the jobs of a run have written, oldest first. */
export async function runLog(run: RunParts, services: RunLogServices): Promise<LogData> {
  const jobs = await JOBS[run.kind](run, services);
  let found: LogData | undefined;
  if (jobs.length === 0) return { lines: [], cut: false, since: null };
  const now = services.clock().getTime();
  const endOf = ({ endedAt }: LoggingJob): number => (endedAt === undefined ? now : Date.parse(endedAt));
  const end = Math.max(...jobs.map(endOf));
  const begin = Math.min(...jobs.map(({ startedAt }) => Date.parse(startedAt)));
  const read = async (windowMs: number) => {
    const since = Math.max(begin, end - windowMs);
    const wanted = jobs.filter((job) => endOf(job) >= since);
    const { isWhole, ...lines } = await newestLines(wanted, new Date(since));
    return { isWhole, log: { ...lines, since: since === begin ? null : new Date(since).toISOString() } };
  };
  for (const windowMs of WINDOWS_MS) {
    const { isWhole, log } = await read(windowMs);
    // Of a length of time with too many pages the newest lines are not known.
    if (!isWhole) break;
    found = log;
    if (log.cut || log.since === null) break;
  }
  return found ?? (await read(LAST_MS)).log;
}

/** The newest lines of all jobs, in the order of their times: jobs may run at the same time. */
async function newestLines(
  jobs: readonly LoggingJob[],
  since: Date,
): Promise<Omit<LogData, 'since'> & { readonly isWhole: boolean }> {
  const lines: LogRow[] = [];
  let cut = false;
  let pages = 0;
  const mayRead = (): boolean => ++pages <= MAX_PAGES + jobs.length;
  const keepNewest = (): void => {
    lines.sort((one, other) => Number(one.at > other.at) - Number(one.at < other.at));
    if (lines.length <= MAX_LINES) return;
    lines.splice(0, lines.length - MAX_LINES);
    cut = true;
  };
  for (const job of jobs)
    for await (const { text, ...line } of job.lines(since, mayRead)) {
      lines.push({ ...line, text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text });
      if (lines.length > 2 * MAX_LINES) keepNewest();
    }
  keepNewest();
  return { lines, cut, isWhole: pages <= MAX_PAGES + jobs.length };
}

const JOBS: ByRunKind<typeof transformJobs> = { inference: transformJobs, training: trainingJobs };

async function transformJobs(run: RunParts, { store, logs }: RunLogServices): Promise<LoggingJob[]> {
  const records = await readJobRecords(store, run);
  return records
    .filter(({ status }) => status !== 'Planned')
    .map((record) => ({
      startedAt: record.createdAt,
      endedAt: record.endedAt,
      async *lines(since, mayRead) {
        for await (const { at, source, text } of logs[record.engine.name].all(record, since, mayRead))
          yield { at: at.toISOString(), source, text };
      },
    }));
}

async function trainingJobs(run: RunParts, { store, trainingLogs }: RunLogServices): Promise<LoggingJob[]> {
  const records = await Array.fromAsync(listTrainingJobRecords(store, run));
  return records
    .filter(({ status }) => status !== 'Planned')
    .map(({ jobName, createdAt, endedAt }) => ({
      startedAt: createdAt,
      endedAt,
      async *lines(since, mayRead) {
        for await (const { at, stream, text } of trainingLogs.all(jobName, since, mayRead))
          yield { at: at.toISOString(), source: hostOfStream(stream) ?? 'host', text };
      },
    }));
}
