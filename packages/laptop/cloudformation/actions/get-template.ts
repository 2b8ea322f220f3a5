import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onStack } from '../asked-of-role.ts';
import { findChangeSet } from '../change-sets.ts';
import type { Stacks } from '../stacks.ts';

/** The template of a stack or a change set, as it was given. */
export const getTemplate = (stacks: Stacks) =>
  action('GetTemplate', {
    input: z.strictObject({
      StackName: z.string().optional(),
      ChangeSetName: z.string().optional(),
      TemplateStage: z.enum(['Original', 'Processed']).optional(),
    }),
    permissions: onStack(stacks),
    run: ({ StackName, ChangeSetName }) => {
      const { template } =
        ChangeSetName === undefined
          ? stacks.book.find(StackName ?? '')
          : findChangeSet(stacks.book, { ChangeSetName, StackName });
      return { TemplateBody: template, StagesAvailable: ['Original', 'Processed'] };
    },
  });
