import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { findChangeSet } from '../change-sets.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({
  StackName: z.string().optional(),
  ChangeSetName: z.string().optional(),
  TemplateStage: z.enum(['Original', 'Processed']).optional(),
});

/** The template of a stack or a change set, as it was given. */
export function getTemplate({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName, ChangeSetName } = Input.parse(input);
    const { template } =
      ChangeSetName === undefined
        ? book.find(StackName ?? '')
        : findChangeSet(book, { ChangeSetName, StackName });
    return { TemplateBody: template, StagesAvailable: ['Original', 'Processed'] };
  };
}
