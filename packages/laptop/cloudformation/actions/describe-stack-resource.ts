import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

/** One resource of a stack. */
export const describeStackResource = (stacks: Stacks) =>
  action('DescribeStackResource', {
    input: z.strictObject({ StackName: z.string(), LogicalResourceId: z.string() }),
    permissions: onStack(stacks),
    run: ({ StackName, LogicalResourceId }) => {
      const stack = stacks.book.get(StackName);
      if (!stack) throw validationError(`Stack '${StackName}' does not exist`);
      const found = stack.resources.find(({ logicalId }) => logicalId === LogicalResourceId);
      if (!found)
        throw validationError(`Resource ${LogicalResourceId} does not exist for stack ${stack.stackName}`);
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
    },
  });
