import * as z from 'zod';
import type { QueryActions } from '../../gateway/query-service.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.object({ StackName: z.string() });

/** Every resource of a stack with its physical id. */
export function listStackResources(stacks: Stacks): QueryActions[string] {
  return (input) => {
    const stack = stacks.find(Input.parse(input).StackName);
    return {
      StackResourceSummaries: stack.resources.map(({ logicalId, type, physicalId }) => ({
        LogicalResourceId: logicalId,
        PhysicalResourceId: physicalId,
        ResourceType: type,
        LastUpdatedTimestamp: new Date(stack.updatedAtMs),
        ResourceStatus: 'CREATE_COMPLETE',
      })),
    };
  };
}
