import * as z from 'zod';
import type { QueryActions } from '../../kernel/query-service.ts';
import { pageOf } from '../page.ts';
import { shownId } from '../stack-record.ts';
import type { Stacks } from '../stacks.ts';

const Input = z.strictObject({ StackName: z.string(), NextToken: z.string().optional() });

/** Every resource of a stack with its physical id. */
export function listStackResources({ book }: Stacks): QueryActions[string] {
  return (input) => {
    const { StackName, NextToken } = Input.parse(input);
    const { items, nextToken } = pageOf(book.find(StackName).resources, NextToken);
    return {
      StackResourceSummaries: items.map((one) => ({
        LogicalResourceId: one.logicalId,
        PhysicalResourceId: shownId(one),
        ResourceType: one.type,
        LastUpdatedTimestamp: new Date(one.atMs),
        ResourceStatus: one.status,
        ResourceStatusReason: one.reason,
        DriftInformation: { StackResourceDriftStatus: 'NOT_CHECKED' },
      })),
      NextToken: nextToken,
    };
  };
}
