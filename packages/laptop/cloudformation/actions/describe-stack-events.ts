import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { QueryActions } from '../../kernel/query-service.ts';
import { pageOf } from '../page.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ StackName: z.string(), NextToken: z.string().optional() });

/** What has happened to a stack, newest first. */
export function describeStackEvents({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName, NextToken } = Input.parse(input);
    const stack = book.get(StackName);
    if (!stack) throw new AwsError('ValidationError', `Stack [${StackName}] does not exist`);
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
  };
}
