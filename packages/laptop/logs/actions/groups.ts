import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Site } from '../../kernel/service.ts';
import { logGroupArn,onGroup } from '../asked-of-role.ts';
import type { LogStore } from '../log-store.ts';
import { pageOf } from '../page.ts';

/** The two ways in which a call names its log group. */
export const GroupReference = {
  logGroupName: z.string().optional(),
  /** A name or an ARN. */
  logGroupIdentifier: z.string().optional(),
};

/** @throws {AwsError} `InvalidParameterException` if the call names none, or both */
export function groupIn({
  logGroupName,
  logGroupIdentifier,
}: {
  readonly logGroupName?: string | undefined;
  readonly logGroupIdentifier?: string | undefined;
}): string {
  if ((logGroupName === undefined) === (logGroupIdentifier === undefined))
    throw new AwsError(
      'InvalidParameterException',
      'Specify exactly one of logGroupName and logGroupIdentifier',
    );
  const name = logGroupName ?? logGroupIdentifier ?? '';
  return name.startsWith('arn:') ? name.split(':').slice(6).join(':').replace(/:\*$/, '') : name;
}

/** Calls that list groups and streams. */
export const groupActions = (store: LogStore, site: Site) => [
  /** `DescribeLogGroups`: by name, with prefix or part of the name. */
  action('DescribeLogGroups', {
    input: z.strictObject({
      logGroupNamePrefix: z.string().optional(),
      logGroupNamePattern: z.string().optional(),
      limit: z.number().int().min(1).max(50).default(50),
      nextToken: z.string().optional(),
    }),
    run: ({ logGroupNamePrefix: prefix = '', logGroupNamePattern: part = '', limit, nextToken }) => {
      const groups = store.groups().filter(({ name }) => name.startsWith(prefix) && name.includes(part));
      const page = pageOf(groups, limit, nextToken);
      return {
        logGroups: page.items.map((group) => ({
          logGroupName: group.name,
          creationTime: group.createdMs,
          retentionInDays: group.retentionInDays,
          metricFilterCount: 0,
          arn: `${logGroupArn(site, group.name)}:*`,
          logGroupArn: logGroupArn(site, group.name),
          storedBytes: store.streams(group.name).reduce((sum, { bytes }) => sum + bytes, 0),
          logGroupClass: 'STANDARD',
        })),
        nextToken: page.nextToken,
      };
    },
  }),
  /** `DescribeLogStreams`: by name or by the time of the last event. */
  action('DescribeLogStreams', {
    input: z.strictObject({
      ...GroupReference,
      logStreamNamePrefix: z.string().optional(),
      orderBy: z.enum(['LogStreamName', 'LastEventTime']).default('LogStreamName'),
      descending: z.boolean().default(false),
      limit: z.number().int().min(1).max(50).default(50),
      nextToken: z.string().optional(),
    }),
    permissions: onGroup(site),
    run: (parsed) => {
      const group = groupIn(parsed);
      const streams = store
        .streams(group)
        .filter(({ name }) => name.startsWith(parsed.logStreamNamePrefix ?? ''))
        .sort((a, b) =>
          parsed.orderBy === 'LastEventTime' && a.lastMs !== b.lastMs
            ? a.lastMs - b.lastMs
            : a.name < b.name
              ? -1
              : 1,
        );
      if (parsed.descending) streams.reverse();
      const page = pageOf(streams, parsed.limit, parsed.nextToken);
      return {
        logStreams: page.items.map((stream) => ({
          logStreamName: stream.name,
          creationTime: stream.createdMs,
          firstEventTimestamp: stream.firstMs,
          lastEventTimestamp: stream.lastMs,
          lastIngestionTime: stream.lastMs,
          arn: `${logGroupArn(site, group)}:log-stream:${stream.name}`,
          storedBytes: 0,
        })),
        nextToken: page.nextToken,
      };
    },
  }),
];
