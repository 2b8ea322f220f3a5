import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { onGroup } from '../asked-of-role.ts';
import { logGroupArn } from '../log-arn.ts';
import type { LogStore } from '../log-store.ts';
import { pageOf } from '../page.ts';
import { groupIn, GroupReference } from './group-reference.ts';

/** `DescribeLogStreams`: by name or by the time of the last event. */
export const describeLogStreams = (store: LogStore, site: Site) =>
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
  });
