import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { groupIn, GroupReference, onGroup } from '../asked-of-role.ts';
import { logGroupArn } from '../log-arn.ts';
import type { LogStore } from '../log-store.ts';
import { pageOf } from '../page.ts';

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
