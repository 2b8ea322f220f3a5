import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { StackStatus } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ StackStatusFilter: z.array(StackStatus).optional() });

/** Every stack, those deleted in the last 90 days among them. */
export function listStacks({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackStatusFilter } = Input.parse(input);
    return {
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
    };
  };
}
