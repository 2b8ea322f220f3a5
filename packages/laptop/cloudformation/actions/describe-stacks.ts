import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { shownParameters } from '../shown-parameters.ts';
import type { StackRecord } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

/** One stack by name or id, or all. */
export const describeStacks = (stacks: Stacks) =>
  action('DescribeStacks', {
    input: z.strictObject({ StackName: z.string().optional() }),
    permissions: onStack(stacks),
    run: ({ StackName }) => {
      const found = StackName === undefined ? stacks.book.all() : [stacks.book.find(StackName)];
      return { Stacks: found.map(toStack) };
    },
  });

function toStack(stack: StackRecord) {
  return {
    StackId: stack.stackId,
    StackName: stack.stackName,
    ChangeSetId: stack.changeSetId,
    Description: stack.description,
    Parameters: shownParameters(stack),
    CreationTime: new Date(stack.createdAtMs),
    LastUpdatedTime: stack.updatedAtMs === undefined ? undefined : new Date(stack.updatedAtMs),
    DeletionTime: stack.deletedAtMs === undefined ? undefined : new Date(stack.deletedAtMs),
    RollbackConfiguration: {},
    StackStatus: stack.status,
    StackStatusReason: stack.reason,
    DisableRollback: false,
    NotificationARNs: [],
    Capabilities: stack.capabilities,
    Outputs: stack.outputs.map(({ key, value, description, exportName }) => ({
      OutputKey: key,
      OutputValue: value,
      Description: description,
      ExportName: exportName,
    })),
    Tags: stack.tags,
    RoleARN: stack.serviceRole,
    EnableTerminationProtection: false,
    DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
  };
}
