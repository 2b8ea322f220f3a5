import { action } from '../../kernel/action.ts';
import { toArn } from '../arn.ts';
import { onAll } from '../asked-of-role.ts';
import { ComponentStatus } from '../component/component-record.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { ListInput, listPage } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Inference components, newest first, ten at a time. */
export const listInferenceComponents = (state: SageMakerState) =>
  action('ListInferenceComponents', {
    input: ListInput.pick({ MaxResults: true, NextToken: true, NameContains: true }).extend({
      EndpointNameEquals: ResourceName.optional(),
      StatusEquals: ComponentStatus.optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const { EndpointNameEquals, StatusEquals } = input;
      const found = [...state.inferenceComponents.values()]
        .filter((one) => (EndpointNameEquals ?? one.input.EndpointName) === one.input.EndpointName)
        .filter(({ status }) => (StatusEquals ?? status) === status);
      const page = listPage(found, input, (one) => ({ ...one, name: one.input.InferenceComponentName }));
      return {
        InferenceComponents: page.items.map(({ input: asked, ...component }) => ({
          InferenceComponentName: asked.InferenceComponentName,
          InferenceComponentArn: component.arn,
          EndpointName: asked.EndpointName,
          EndpointArn: toArn(state.site, 'endpoint', asked.EndpointName),
          VariantName: asked.VariantName,
          InferenceComponentStatus: component.status,
          CreationTime: new Date(component.creationTimeMs),
          LastModifiedTime: new Date(component.lastModifiedTimeMs),
        })),
        NextToken: page.nextToken,
      };
    },
  });
