import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { ListInput, listPage } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Configurations, by default newest first, ten at a time. */
export const listEndpointConfigs = (state: SageMakerState) =>
  action('ListEndpointConfigs', {
    input: ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() }),
    permissions: onAll,
    run: (asked) => {
      const page = listPage(state.endpointConfigs.values(), asked, ({ input, creationTimeMs }) => ({
        name: input.EndpointConfigName,
        creationTimeMs,
      }));
      return {
        EndpointConfigs: page.items.map(({ input, arn, creationTimeMs }) => ({
          EndpointConfigName: input.EndpointConfigName,
          EndpointConfigArn: arn,
          CreationTime: new Date(creationTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  });
