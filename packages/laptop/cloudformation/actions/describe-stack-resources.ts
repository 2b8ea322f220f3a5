import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

/** The first hundred resources of a stack, or one of them. */
export const describeStackResources = (stacks: Stacks) =>
  action('DescribeStackResources', {
    input: z.strictObject({ StackName: z.string(), LogicalResourceId: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName, LogicalResourceId = '' }) => {
      const { stackName, stackId, resources } = stacks.book.find(StackName);
      return {
        StackResources: resources
          .filter(({ logicalId }) => LogicalResourceId === '' || logicalId === LogicalResourceId)
          .slice(0, 100)
          .map((one) => ({
            StackName: stackName,
            StackId: stackId,
            LogicalResourceId: one.logicalId,
            PhysicalResourceId: shownId(one),
            ResourceType: one.type,
            Timestamp: new Date(one.atMs),
            ResourceStatus: one.status,
            ResourceStatusReason: one.reason,
            DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
          })),
      };
    },
  });
