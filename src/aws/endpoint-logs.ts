import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { isNamed, withErrorNames } from './aws-error.ts';

/** A line of a container's log. */
export interface LogLine {
  readonly at: Date;
  readonly stream: string;
  readonly text: string;
}

/** The newest `most` lines of an endpoint's containers, oldest first; none where there is no log yet. */
export async function endpointLogs(
  endpointName: string,
  since: Date,
  most: number,
): Promise<readonly LogLine[]> {
  const client = new CloudWatchLogsClient();
  const lines: LogLine[] = [];
  let nextToken: string | undefined;
  do {
    try {
      const page = await withErrorNames(
        client.send(
          new FilterLogEventsCommand({
            logGroupName: `/aws/sagemaker/Endpoints/${endpointName}`,
            startTime: since.getTime(),
            nextToken,
          }),
        ),
      );
      for (const { timestamp = 0, logStreamName = '', message = '' } of page.events ?? [])
        lines.push({ at: new Date(timestamp), stream: logStreamName, text: message.trimEnd() });
      nextToken = page.nextToken;
    } catch (error) {
      if (isNamed(error, 'NotFound')) return [];
      throw error;
    }
  } while (nextToken !== undefined);
  return lines.slice(-most);
}
