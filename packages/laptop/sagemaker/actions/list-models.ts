import * as z from 'zod';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import { parseInput } from '../parse-input.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

const ListModelsInput = ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() });

/** By default newest first, ten at a time. */
export function listModels(state: SageMakerState, body: unknown): Record<string, unknown> {
  const input = parseInput(ListModelsInput, body);
  const direction = input.SortOrder === 'Ascending' ? 1 : -1;
  const models = [...state.models.values()]
    .filter((model) => model.input.ModelName.includes(input.NameContains ?? ''))
    .filter((model) => isWithin(model.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
    .sort((a, b) => {
      const byName = a.input.ModelName < b.input.ModelName ? -1 : 1;
      return direction * (input.SortBy === 'Name' ? byName : a.creationTimeMs - b.creationTimeMs || byName);
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
}
