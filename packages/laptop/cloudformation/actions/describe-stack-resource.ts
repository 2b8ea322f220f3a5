import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { QueryActions } from '../../kernel/query-service.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ StackName: z.string(), LogicalResourceId: z.string() });

/** One resource of a stack. */
export function describeStackResource({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName, LogicalResourceId } = Input.parse(input);
    const stack = book.get(StackName);
    if (!stack) throw new AwsError('ValidationError', `Stack '${StackName}' does not exist`);
    const found = stack.resources.find(({ logicalId }) => logicalId === LogicalResourceId);
    if (!found)
      throw new AwsError(
        'ValidationError',
        `Resource ${LogicalResourceId} does not exist for stack ${stack.stackName}`,
      );
    return {
      StackResourceDetail: {
        StackName: stack.stackName,
        StackId: stack.stackId,
        LogicalResourceId,
        PhysicalResourceId: shownId(found),
        ResourceType: found.type,
        LastUpdatedTimestamp: new Date(found.atMs),
        ResourceStatus: found.status,
        ResourceStatusReason: found.reason,
        Metadata: '{}',
        DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
      },
    };
  };
}
