import {
  CloudWatchLogsClient,
  DescribeLogStreamsCommand,
  FilterLogEventsCommand,
  type FilterLogEventsCommandInput,
} from '@aws-sdk/client-cloudwatch-logs';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';
import { named } from '../calls/named-calls.ts';

/** A line of a log stream, without its line end. */
export interface LogLine {
  readonly at: Date;
  readonly stream: string;
  readonly text: string;
}

/** A selection from a log group: all of it, streams by prefix or by name (at most 100), from a time on. */
type LogFilter = Pick<
  FilterLogEventsCommandInput,
  'logGroupName' | 'logStreamNamePrefix' | 'logStreamNames' | 'filterPattern' | 'startTime' | 'limit'
>;

let client: CloudWatchLogsClient | undefined;

/** CloudWatch Logs of the account and region that the environment names; the client is built on first use. */
export function cloudWatchLogs(): CloudWatchLogsClient {
  return (client ??= named(new CloudWatchLogsClient()));
}

/**
 * Called before each page of a log, with at most 10,000 lines or a megabyte and often empty; `false` stops the reading there, since
 * a log may have gigabytes.
 */
export type MayRead = () => boolean;

/** The lines of a log group, oldest first, page by page; empty if there is no such group or stream. */
export async function* logEvents(filter: LogFilter, mayRead: MayRead = () => true): AsyncGenerator<LogLine> {
  const pages = allPages(
    (nextToken) => cloudWatchLogs().send(new FilterLogEventsCommand({ ...filter, nextToken })),
    mayRead,
  );
  for await (const { events = [] } of pages)
    for (const { timestamp = 0, logStreamName = '', message = '' } of events)
      yield { at: new Date(timestamp), stream: logStreamName, text: message.trimEnd() };
}

/** The names of a log group's streams with a prefix; none if there is no such group. */
export async function* logStreams(
  logGroupName: string,
  logStreamNamePrefix: string,
): AsyncGenerator<string, undefined> {
  const pages = allPages((nextToken) =>
    cloudWatchLogs().send(new DescribeLogStreamsCommand({ logGroupName, logStreamNamePrefix, nextToken })),
  );
  for await (const { logStreams: found = [] } of pages)
    for (const { logStreamName } of found) if (logStreamName !== undefined) yield logStreamName;
  return undefined;
}

async function* allPages<Page extends { readonly nextToken?: string | undefined }>(
  ask: (nextToken: string | undefined) => Promise<Page>,
  mayRead: MayRead = () => true,
): AsyncGenerator<Page> {
  let nextToken: string | undefined;
  do {
    if (!mayRead()) return;
    const page = await withErrorNames(ask(nextToken)).catch((error: unknown) => {
      if (isNamed(error, 'NotFound')) return undefined;
      throw error;
    });
    if (page !== undefined) yield page;
    nextToken = page?.nextToken;
  } while (nextToken !== undefined);
}
