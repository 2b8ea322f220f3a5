import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import { RuntimeConfig } from '../component/component-record.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { requireComponent } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Gives a component another number of copies; the answer does not wait for them. */
export const updateInferenceComponentRuntimeConfig = (state: SageMakerState) =>
  action('UpdateInferenceComponentRuntimeConfig', {
    input: z.strictObject({ InferenceComponentName: ResourceName, DesiredRuntimeConfig: RuntimeConfig }),
    permissions: onOne(state, 'inference-component'),
    run: ({ InferenceComponentName, DesiredRuntimeConfig }) => {
      const { arn, status } = requireComponent(state, InferenceComponentName);
      if (status !== 'InService')
        throw validationException(`Inference component "${arn}" is ${status}: it must be InService.`);
      state.components.set(InferenceComponentName, DesiredRuntimeConfig.CopyCount);
      return { InferenceComponentArn: arn };
    },
  });
