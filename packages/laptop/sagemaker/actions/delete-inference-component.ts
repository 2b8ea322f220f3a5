import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { requireComponent } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** SageMaker's internal states, which its refusals name. */
const UNDER_WAY: Readonly<Record<string, string>> = {
  Creating: 'CREATE_IN_PROGRESS',
  Updating: 'UPDATE_RC_IN_PROGRESS',
  Deleting: 'DELETE_IN_PROGRESS',
};

/** Stops the copies of a component that is not on its way to another status; it is gone when they are. */
export const deleteInferenceComponent = (state: SageMakerState) =>
  action('DeleteInferenceComponent', {
    input: z.strictObject({ InferenceComponentName: ResourceName }),
    permissions: onOne(state, 'inference-component'),
    run: ({ InferenceComponentName }) => {
      const { arn, status } = requireComponent(state, InferenceComponentName);
      const inState = UNDER_WAY[status];
      if (inState !== undefined)
        throw validationException(
          `Cannot delete inference component "${arn}" while it is in state ${inState}.`,
        );
      state.components.remove(InferenceComponentName);
    },
  });
