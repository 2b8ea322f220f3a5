import * as z from 'zod';
import { ModelName } from '../model-record.ts';
import { parseInput } from '../parse-input.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { requireModel } from '../require-record.ts';

/** Gives back what CreateModel was told. */
export function describeModel(state: SageMakerState, body: unknown): Record<string, unknown> {
  const model = requireModel(state, parseInput(z.object({ ModelName }), body).ModelName);
  const { Tags: _tags, ...input } = model.input;
  return {
    ...input,
    ModelArn: model.arn,
    CreationTime: new Date(model.creationTimeMs),
    EnableNetworkIsolation: input.EnableNetworkIsolation ?? false,
  };
}
