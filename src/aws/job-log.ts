import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { isNamed, withErrorNames } from './aws-error.ts';

/** A line that a transform job left in its log, and the stream's name. */
interface JobLogLine {
  readonly stream: string;
  readonly text: string;
}

/** Every line of a transform job's streams so far; logs arrive seconds after the job has ended. */
export type JobLog = (jobName: string) => Promise<readonly JobLogLine[]>;

/** Reads the log group that all transform jobs share. */
export const jobLog: JobLog = async (jobName) => {
  const client = new CloudWatchLogsClient();
  const lines: JobLogLine[] = [];
  let nextToken: string | undefined;
  do {
    try {
      const page = await withErrorNames(
        client.send(
          new FilterLogEventsCommand({
            logGroupName: '/aws/sagemaker/TransformJobs',
            logStreamNamePrefix: `${jobName}/`,
            nextToken,
          }),
        ),
      );
      for (const { logStreamName = '', message = '' } of page.events ?? [])
        lines.push({ stream: logStreamName, text: message });
      nextToken = page.nextToken;
    } catch (error) {
      if (isNamed(error, 'NotFound')) return [];
      throw error;
    }
  } while (nextToken !== undefined);
  return lines;
};
