import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { pageOf } from '../page.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

/** Every resource of a stack with its physical id. */
export const listStackResources = (stacks: Stacks) =>
  action('ListStackResources', {
    input: z.strictObject({ StackName: z.string(), NextToken: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName, NextToken }) => {
      const { items, nextToken } = pageOf(stacks.book.find(StackName).resources, NextToken);
      return {
        StackResourceSummaries: items.map((one) => ({
          LogicalResourceId: one.logicalId,
          PhysicalResourceId: shownId(one),
          ResourceType: one.type,
          LastUpdatedTimestamp: new Date(one.atMs),
          ResourceStatus: one.status,
          ResourceStatusReason: one.reason,
          DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
        })),
        NextToken: nextToken,
      };
    },
  });
