import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { isBusy } from '../stack-record.ts';
import { cannotBeUpdated, type Stacks } from '../stacks.ts';

/** Begins to remove a stack; a missing one is not an error, and one under review is forgotten. */
export const deleteStackAction = (stacks: Stacks) =>
  action('DeleteStack', {
    input: z.strictObject({
      StackName: z.string(),
      ClientRequestToken: z.string().optional(),
    }),
    permissions: onStack(stacks),
    run: (input, { accessKeyId }) => {
      const stack = stacks.book.get(input.StackName);
      if (!stack || stack.status === 'DELETE_COMPLETE') return undefined;
      if (stack.status === 'REVIEW_IN_PROGRESS') return stacks.book.drop(stack);
      if (isBusy(stack.status) && stack.status !== 'DELETE_IN_PROGRESS') throw cannotBeUpdated(stack);
      if (stack.status !== 'DELETE_IN_PROGRESS') void stacks.beginDelete(stack, accessKeyId);
      return undefined;
    },
  });
