import * as z from 'zod';
import type { QueryActions } from '../../gateway/query-service.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.object({ StackName: z.string() });

/** What happened in a stack's last deployment, newest first. */
export function describeStackEvents(stacks: Stacks): QueryActions[string] {
  return (input) => {
    const { stackName, stackId, events } = stacks.find(Input.parse(input).StackName);
    return {
      StackEvents: events
        .map(({ logicalId, type, physicalId, status, reason, atMs }, index) => ({
          StackId: stackId,
          EventId: `${logicalId}-${status}-${index}`,
          StackName: stackName,
          LogicalResourceId: logicalId,
          PhysicalResourceId: physicalId,
          ResourceType: type,
          Timestamp: new Date(atMs),
          ResourceStatus: status,
          ResourceStatusReason: reason,
        }))
        .reverse(),
    };
  };
}
