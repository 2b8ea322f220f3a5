import * as z from 'zod';
import type { ContainerDefinition } from '../model-record.ts';
import { ModelName } from '../model-record.ts';
import { parseInput } from '../parse-input.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { requireModel } from '../require-record.ts';

/** Returns the input of CreateModel, with its defaults. */
export function describeModel(state: SageMakerState, body: unknown): Record<string, unknown> {
  const model = requireModel(state, parseInput(z.strictObject({ ModelName }), body).ModelName);
  const { Tags: _tags, PrimaryContainer, Containers, ...input } = model.input;
  return {
    ...input,
    PrimaryContainer: PrimaryContainer && withDefaults(PrimaryContainer),
    Containers: Containers?.map(withDefaults),
    ModelArn: model.arn,
    CreationTime: new Date(model.creationTimeMs),
    EnableNetworkIsolation: input.EnableNetworkIsolation ?? false,
  };
}

function withDefaults(container: ContainerDefinition): ContainerDefinition {
  return { Mode: 'SingleModel', Environment: {}, ...container };
}
