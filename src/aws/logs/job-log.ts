import { isDataLog } from '../../transform/data-log.ts';
import { logEvents, type LogLine, logStreams, type MayRead } from './log-events.ts';

/** The log group that all transform jobs share. */
const GROUP = '/aws/sagemaker/TransformJobs';
/** FilterLogEvents accepts this many names; a job has at most 100 instances. */
const MAX_STREAMS = 100;

/**
 * Logs of transform jobs. For each instance, its container writes to the stream `<job>/<instance>`, and SageMaker itself to one with the
 * suffix `/data-log`, which says why inputs failed. Logs arrive seconds after the job has ended.
 */
export interface JobLogs {
  /** The lines of a job from a time on, of containers and data logs, oldest first; every line without one. */
  all(jobName: string, since?: Date, mayRead?: MayRead): AsyncIterable<LogLine>;
  /** The lines that say why inputs failed, oldest first. */
  dataLog(jobName: string): AsyncIterable<LogLine>;
  /** Whether one of the job's containers has written these words. */
  hasWords(jobName: string, words: string): Promise<boolean>;
  /** The first lines of one of the job's containers, at most `most`. */
  beginning(jobName: string, most: number): Promise<readonly LogLine[]>;
}

/** Reads the logs of transform jobs from CloudWatch Logs. */
export const jobLogs: JobLogs = {
  all: (jobName, since, mayRead) =>
    logEvents(
      { logGroupName: GROUP, logStreamNamePrefix: `${jobName}/`, startTime: since?.getTime() },
      mayRead,
    ),
  async *dataLog(jobName) {
    const names = (await streamsOf(jobName)).filter(isDataLog);
    for (let at = 0; at < names.length; at += MAX_STREAMS)
      yield* logEvents({ logGroupName: GROUP, logStreamNames: names.slice(at, at + MAX_STREAMS) });
  },
  async hasWords(jobName, words) {
    const filter = { logStreamNamePrefix: `${jobName}/`, filterPattern: JSON.stringify(words) };
    for await (const _ of logEvents({ logGroupName: GROUP, ...filter })) return true;
    return false;
  },
  async beginning(jobName, most) {
    const container = (await streamsOf(jobName)).find((name) => !isDataLog(name));
    if (container === undefined) return [];
    const lines: LogLine[] = [];
    for await (const line of logEvents({ logGroupName: GROUP, logStreamNames: [container], limit: most })) {
      lines.push(line);
      if (lines.length === most) break;
    }
    return lines;
  },
};

function streamsOf(jobName: string): Promise<string[]> {
  return Array.fromAsync(logStreams(GROUP, `${jobName}/`));
}
