import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import type { Stacks } from '../stacks.ts';

/** The change sets of a stack. */
export const listChangeSets = (stacks: Stacks) =>
  action('ListChangeSets', {
    input: z.strictObject({ StackName: z.string() }),
    permissions: onStack(stacks),
    run: ({ StackName }) => {
      const stack = stacks.book.get(StackName);
      if (!stack) throw validationError(`Stack [${StackName}] does not exist`);
      return {
        Summaries: stacks.book.changeSets.of(stack.stackId).map((one) => ({
          StackId: one.stackId,
          StackName: one.stackName,
          ChangeSetId: one.changeSetId,
          ChangeSetName: one.changeSetName,
          ExecutionStatus: one.executionStatus,
          Status: one.status,
          StatusReason: one.reason,
          CreationTime: new Date(one.createdAtMs),
          Description: one.description,
          IncludeNestedStacks: false,
        })),
      };
    },
  });
