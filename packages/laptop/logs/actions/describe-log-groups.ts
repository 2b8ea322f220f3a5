import * as z from 'zod';
import type { Site } from '../../kernel/service.ts';
import { logGroupArn } from '../log-arn.ts';
import type { LogStore } from '../log-store.ts';
import { pageOf } from '../page.ts';

const Input = z.strictObject({
  logGroupNamePrefix: z.string().optional(),
  logGroupNamePattern: z.string().optional(),
  limit: z.number().int().min(1).max(50).default(50),
  nextToken: z.string().optional(),
});

/** `DescribeLogGroups`: by name, with prefix or part of the name. */
export function describeLogGroups(store: LogStore, site: Site) {
  return (input: unknown) => {
    const {
      logGroupNamePrefix: prefix = '',
      logGroupNamePattern: part = '',
      limit,
      nextToken,
    } = Input.parse(input);
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
  };
}
