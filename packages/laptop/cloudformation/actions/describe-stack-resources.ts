import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ StackName: z.string(), LogicalResourceId: z.string().optional() });

/** The first hundred resources of a stack, or one of them. */
export function describeStackResources({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName, LogicalResourceId = '' } = Input.parse(input);
    const { stackName, stackId, resources } = book.find(StackName);
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
  };
}
