import * as z from 'zod';
import { ModelName } from '../model-record.ts';
import { parseInput } from '../parse-input.ts';
import { requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Removes a model; jobs that run with it go on, for they have their own copy. */
export function deleteModel(state: SageMakerState, body: unknown): void {
  const { ModelName: name } = parseInput(z.strictObject({ ModelName }), body);
  requireModel(state, name);
  state.models.delete(name);
}
