import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onStack } from '../asked-of-role.ts';
import { findChangeSet } from '../change-sets.ts';
import type { Stacks } from '../stacks.ts';

/** Deletes a change set; a missing one is not an error if its stack exists. */
export const deleteChangeSet = (stacks: Stacks) =>
  action('DeleteChangeSet', {
    input: z.strictObject({ ChangeSetName: z.string(), StackName: z.string().optional() }),
    permissions: onStack(stacks),
    run: (input) => {
      try {
        stacks.book.changeSets.delete(findChangeSet(stacks.book, input).changeSetId);
      } catch (error) {
        if (!(error instanceof AwsError) || error.code !== 'ChangeSetNotFound') throw error;
      }
      return {};
    },
  });
