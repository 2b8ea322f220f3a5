import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { toArn } from '../arn.ts';
import { onOne } from '../asked-of-role.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { requireComponent } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Status of a component, its model, and its copies: those wanted and those in service. */
export const describeInferenceComponent = (state: SageMakerState) =>
  action('DescribeInferenceComponent', {
    input: z.strictObject({ InferenceComponentName: ResourceName }),
    permissions: onOne(state, 'inference-component'),
    run: ({ InferenceComponentName }) => {
      const { input, ...component } = requireComponent(state, InferenceComponentName);
      const { EndpointName, VariantName, Specification } = input;
      return {
        InferenceComponentName,
        InferenceComponentArn: component.arn,
        EndpointName,
        EndpointArn: toArn(state.site, 'endpoint', EndpointName),
        VariantName,
        FailureReason: component.failureReason,
        Specification,
        RuntimeConfig: {
          DesiredCopyCount: component.desired,
          CurrentCopyCount: state.components.countOf(InferenceComponentName),
        },
        CreationTime: new Date(component.creationTimeMs),
        LastModifiedTime: new Date(component.lastModifiedTimeMs),
        InferenceComponentStatus: component.status,
      };
    },
  });
