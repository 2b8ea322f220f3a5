import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { QueryActions } from '../../kernel/query-service.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ StackName: z.string() });

/** The change sets of a stack. */
export function listChangeSets({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName } = Input.parse(input);
    const stack = book.get(StackName);
    if (!stack) throw new AwsError('ValidationError', `Stack [${StackName}] does not exist`);
    return {
      Summaries: book.changeSets.of(stack.stackId).map((one) => ({
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
  };
}
