import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Models, by default newest first, ten at a time. */
export const listModels = (state: SageMakerState) =>
  action('ListModels', {
    input: ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() }),
    permissions: onAll,
    run: (input) => {
      const direction = input.SortOrder === 'Ascending' ? 1 : -1;
      const models = [...state.models.values()]
        .filter((model) => model.input.ModelName.includes(input.NameContains ?? ''))
        .filter((model) => isWithin(model.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
        .sort((a, b) => {
          const byName = a.input.ModelName < b.input.ModelName ? -1 : 1;
          return (
            direction * (input.SortBy === 'Name' ? byName : a.creationTimeMs - b.creationTimeMs || byName)
          );
        });
      const page = cutPage(models, input, (model) => model.input.ModelName);
      return {
        Models: page.items.map((model) => ({
          ModelName: model.input.ModelName,
          ModelArn: model.arn,
          CreationTime: new Date(model.creationTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  });
