import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import { pageOf } from '../page.ts';
import type { Stacks } from '../stacks.ts';

/** Events of a stack, newest first. */
export const describeStackEvents = (stacks: Stacks) =>
  action('DescribeStackEvents', {
    input: z.strictObject({ StackName: z.string(), NextToken: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName, NextToken }) => {
      const stack = stacks.book.get(StackName);
      if (!stack) throw validationError(`Stack [${StackName}] does not exist`);
      const { items, nextToken } = pageOf(stack.events.toReversed(), NextToken);
      return {
        StackEvents: items.map(({ eventId, logicalId, type, physicalId, status, reason, atMs }) => ({
          StackId: stack.stackId,
          EventId: eventId,
          StackName: stack.stackName,
          LogicalResourceId: logicalId,
          PhysicalResourceId: physicalId,
          ResourceType: type,
          Timestamp: new Date(atMs),
          ResourceStatus: status,
          ResourceStatusReason: reason,
        })),
        NextToken: nextToken,
      };
    },
  });
