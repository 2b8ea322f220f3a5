import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { StackStatus } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

/** Every stack, those deleted in the last 90 days among them. */
export const listStacks = ({ book }: Stacks) =>
  action('ListStacks', {
    input: z.strictObject({ StackStatusFilter: z.array(StackStatus).optional() }),
    permissions: onAll,
    run: ({ StackStatusFilter }) => ({
      StackSummaries: book
        .withDeleted()
        .filter(({ status }) => StackStatusFilter?.includes(status) ?? true)
        .map((stack) => ({
          StackId: stack.stackId,
          StackName: stack.stackName,
          TemplateDescription: stack.description,
          CreationTime: new Date(stack.createdAtMs),
          LastUpdatedTime: stack.updatedAtMs === undefined ? undefined : new Date(stack.updatedAtMs),
          DeletionTime: stack.deletedAtMs === undefined ? undefined : new Date(stack.deletedAtMs),
          StackStatus: stack.status,
          StackStatusReason: stack.reason,
          DriftInformation: { StackDriftStatus: 'NOT_CHECKED' },
        })),
    }),
  });
