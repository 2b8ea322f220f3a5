import { GetLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { withErrorNames } from '../calls/aws-error.ts';
import { cloudWatchLogs, logEvents, type LogLine, logStreams, type MayRead } from './log-events.ts';

/** The log group that all training jobs share. */
const GROUP = '/aws/sagemaker/TrainingJobs';

/** Logs of training jobs: each host has a stream `<job>/algo-<n>-<time>`. Lines arrive seconds after they were printed. */
export interface TrainingLogs {
  /** The lines of a job from a time on, oldest first; every line without one. `host` is the only one that is read, such as algo-1. */
  all(jobName: string, since?: Date, mayRead?: MayRead, host?: string): AsyncIterable<LogLine>;
  /** The last lines of the job's first host, oldest first; empty while it has printed none. */
  end(jobName: string, most: number): Promise<readonly LogLine[]>;
}

/** Reads the logs of training jobs from CloudWatch Logs. */
export const trainingLogs: TrainingLogs = {
  all: (jobName, since, mayRead, host) => {
    const logStreamNamePrefix = `${jobName}/${host === undefined ? '' : `${host}-`}`;
    return logEvents({ logGroupName: GROUP, logStreamNamePrefix, startTime: since?.getTime() }, mayRead);
  },
  async end(jobName, most) {
    const { value: stream } = await logStreams(GROUP, `${jobName}/algo-1-`).next();
    if (stream === undefined) return [];
    const { events = [] } = await withErrorNames(
      cloudWatchLogs().send(
        new GetLogEventsCommand({
          logGroupName: GROUP,
          logStreamName: stream,
          limit: most,
          startFromHead: false,
        }),
      ),
    );
    return events.map(({ timestamp = 0, message = '' }) => ({
      at: new Date(timestamp),
      stream,
      text: message.trimEnd(),
    }));
  },
};
