import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { ListInput, listPage } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Models, by default newest first, ten at a time. */
export const listModels = (state: SageMakerState) =>
  action('ListModels', {
    input: ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() }),
    permissions: onAll,
    run: (asked) => {
      const page = listPage(state.models.values(), asked, ({ input, creationTimeMs }) => ({
        name: input.ModelName,
        creationTimeMs,
      }));
      return {
        Models: page.items.map(({ input, arn, creationTimeMs }) => ({
          ModelName: input.ModelName,
          ModelArn: arn,
          CreationTime: new Date(creationTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  });
