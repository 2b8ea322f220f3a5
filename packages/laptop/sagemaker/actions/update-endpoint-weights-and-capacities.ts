import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import type { HostedVariant } from '../endpoint/endpoint-record.ts';
import { requireEndpointInstances } from '../instance-quota.ts';
import { requireEndpoint } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

const Desired = z.strictObject({
  VariantName: ResourceName,
  DesiredWeight: z.number().min(0).optional(),
  DesiredInstanceCount: z.int().min(1).optional(),
});

/** Gives variants other weights or numbers of containers; goes like an update, so that no request fails. */
export const updateEndpointWeightsAndCapacities = (state: SageMakerState) =>
  action('UpdateEndpointWeightsAndCapacities', {
    input: z.strictObject({
      EndpointName: ResourceName,
      DesiredWeightsAndCapacities: z.array(Desired).min(1),
    }),
    run: ({ EndpointName, DesiredWeightsAndCapacities }) => {
      const endpoint = requireEndpoint(state, EndpointName);
      if (endpoint.status !== 'InService') {
        throw validationException(`Cannot update in-progress endpoint "${endpoint.arn}".`);
      }
      const desired = new Map(DesiredWeightsAndCapacities.map((one) => [one.VariantName, one] as const));
      for (const { VariantName } of desired.values()) {
        if (!endpoint.content.variants.some(({ settings }) => settings.VariantName === VariantName)) {
          throw validationException(`The endpoint has no production variant ${VariantName}`);
        }
      }
      const change = (variant: HostedVariant): HostedVariant => {
        const wanted = desired.get(variant.settings.VariantName);
        const instanceCount = wanted?.DesiredInstanceCount ?? variant.instanceCount;
        return {
          ...variant,
          weight: wanted?.DesiredWeight ?? variant.weight,
          ...(variant.instanceCount !== undefined && instanceCount !== undefined && { instanceCount }),
        };
      };
      const before = new Map(
        endpoint.content.variants.map(({ settings, instanceCount }) => [
          settings.VariantName,
          instanceCount ?? 0,
        ]),
      );
      const variants = endpoint.content.variants.map(change);
      // The laptop restarts all containers; AWS only adds or removes instances.
      requireEndpointInstances(
        state,
        variants.map((variant) => ({
          ...variant,
          ...(variant.instanceCount !== undefined && {
            instanceCount: Math.max(
              0,
              variant.instanceCount - (before.get(variant.settings.VariantName) ?? 0),
            ),
          }),
        })),
      );
      state.hosting.update({
        ...endpoint,
        pending: {
          configName: endpoint.content.configName,
          variants,
          startTimeMs: state.clock.now(),
        },
      });
      return { EndpointArn: endpoint.arn };
    },
  });
