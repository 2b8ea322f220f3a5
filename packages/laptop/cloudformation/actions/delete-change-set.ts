import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { QueryActions } from '../../kernel/query-service.ts';
import { findChangeSet } from '../change-sets.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ ChangeSetName: z.string(), StackName: z.string().optional() });

/** Forgets a change set; one that is not there is as good as deleted, as long as its stack is there. */
export function deleteChangeSet({ book }: Stacks): QueryActions[string] {
  return (input) => {
    try {
      book.changeSets.delete(findChangeSet(book, Input.parse(input)).changeSetId);
    } catch (error) {
      if (!(error instanceof AwsError) || error.code !== 'ChangeSetNotFound') throw error;
    }
    return {};
  };
}
