import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { logGroupArn } from '../log-arn.ts';
import type { LogStore } from '../log-store.ts';
import { pageOf } from '../page.ts';

/** `DescribeLogGroups`: by name, with prefix or part of the name. */
export const describeLogGroups = (store: LogStore, site: Site) =>
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
  });
