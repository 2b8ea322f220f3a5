import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { ModelName } from '../model-record.ts';
import { requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Removes a model; jobs that run with it go on, for they have their own copy. */
export const deleteModel = (state: SageMakerState) =>
  action('DeleteModel', {
    input: z.strictObject({ ModelName }),
    permissions: onOne(state, 'model'),
    run: ({ ModelName: name }) => {
      requireModel(state, name);
      state.models.delete(name);
    },
  });
