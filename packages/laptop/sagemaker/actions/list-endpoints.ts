import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { EndpointStatus } from '../endpoint/endpoint-record.ts';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Endpoints, by default newest first, ten at a time. */
export const listEndpoints = (state: SageMakerState) =>
  action('ListEndpoints', {
    input: ListInput.extend({
      SortBy: z.enum(['Name', 'CreationTime', 'Status']).optional(),
      StatusEquals: z
        .enum([...EndpointStatus.options, 'OutOfService', 'SystemUpdating', 'UpdateRollbackFailed'])
        .optional(),
      LastModifiedTimeAfter: z.number().optional(),
      LastModifiedTimeBefore: z.number().optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const direction = input.SortOrder === 'Ascending' ? 1 : -1;
      const endpoints = [...state.endpoints.values()]
        .filter(({ name }) => name.includes(input.NameContains ?? ''))
        .filter(({ status }) => input.StatusEquals === undefined || status === input.StatusEquals)
        .filter((one) => isWithin(one.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
        .filter((one) =>
          isWithin(one.lastModifiedTimeMs, input.LastModifiedTimeAfter, input.LastModifiedTimeBefore),
        )
        .sort((a, b) => {
          const byName = a.name < b.name ? -1 : 1;
          const byTime = a.creationTimeMs - b.creationTimeMs || byName;
          if (input.SortBy === 'Name') return direction * byName;
          if (input.SortBy === 'Status')
            return direction * (a.status < b.status ? -1 : a.status > b.status ? 1 : byTime);
          return direction * byTime;
        });
      const page = cutPage(endpoints, input, ({ name }) => name);
      return {
        Endpoints: page.items.map((one) => ({
          EndpointName: one.name,
          EndpointArn: one.arn,
          CreationTime: new Date(one.creationTimeMs),
          LastModifiedTime: new Date(one.lastModifiedTimeMs),
          EndpointStatus: one.status,
        })),
        NextToken: page.nextToken,
      };
    },
  });
