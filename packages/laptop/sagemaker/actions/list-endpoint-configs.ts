import * as z from 'zod';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import { parseInput } from '../parse-input.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

const ListEndpointConfigsInput = ListInput.extend({ SortBy: z.enum(['Name', 'CreationTime']).optional() });

/** By default newest first, ten at a time. */
export function listEndpointConfigs(state: SageMakerState, body: unknown): Record<string, unknown> {
  const input = parseInput(ListEndpointConfigsInput, body);
  const direction = input.SortOrder === 'Ascending' ? 1 : -1;
  const configs = [...state.endpointConfigs.values()]
    .filter((config) => config.input.EndpointConfigName.includes(input.NameContains ?? ''))
    .filter((config) => isWithin(config.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
    .sort((a, b) => {
      const byName = a.input.EndpointConfigName < b.input.EndpointConfigName ? -1 : 1;
      return direction * (input.SortBy === 'Name' ? byName : a.creationTimeMs - b.creationTimeMs || byName);
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
}
