import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { isBusy } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';
import { cannotBeUpdated } from '../stacks.ts';

const Input = z.strictObject({
  StackName: z.string(),
  ClientRequestToken: z.string().optional(),
});

/** Begins to remove a stack; one that is not there is as good as removed, and one under review leaves no trace. */
export function deleteStackAction(stacks: Stacks): QueryActions[string] {
  return (input, { accessKeyId }) => {
    const stack = stacks.book.get(Input.parse(input).StackName);
    if (!stack || stack.status === 'DELETE_COMPLETE') return undefined;
    if (stack.status === 'REVIEW_IN_PROGRESS') return stacks.book.drop(stack);
    if (isBusy(stack.status) && stack.status !== 'DELETE_IN_PROGRESS') throw cannotBeUpdated(stack);
    if (stack.status !== 'DELETE_IN_PROGRESS') void stacks.beginDelete(stack, accessKeyId);
    return undefined;
  };
}
