import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Configurations, by default newest first, ten at a time. */
export const listEndpointConfigs = (state: SageMakerState) =>
  action('ListEndpointConfigs', {
    input: ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() }),
    permissions: onAll,
    run: (input) => {
      const direction = input.SortOrder === 'Ascending' ? 1 : -1;
      const configs = [...state.endpointConfigs.values()]
        .filter((config) => config.input.EndpointConfigName.includes(input.NameContains ?? ''))
        .filter((config) =>
          isWithin(config.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore),
        )
        .sort((a, b) => {
          const byName = a.input.EndpointConfigName < b.input.EndpointConfigName ? -1 : 1;
          return (
            direction * (input.SortBy === 'Name' ? byName : a.creationTimeMs - b.creationTimeMs || byName)
          );
        });
      const page = cutPage(configs, input, (config) => config.input.EndpointConfigName);
      return {
        EndpointConfigs: page.items.map((config) => ({
          EndpointConfigName: config.input.EndpointConfigName,
          EndpointConfigArn: config.arn,
          CreationTime: new Date(config.creationTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  });
