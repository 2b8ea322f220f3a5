import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { asking, on, usingKey, watchingAlarms } from '../asked-of-role.ts';
import { checkDeployment, DeploymentConfig } from '../endpoint/deployment-config.ts';
import type { HostedVariant } from '../endpoint/endpoint-record.ts';
import { toComponentHost, toHostedVariants } from '../endpoint/hosted-variants.ts';
import { requireEndpointInstances } from '../instance-quota.ts';
import { requireEndpoint, requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Updates of endpoints. */
export const endpointUpdateActions = (state: SageMakerState) => [
  /** Starts the new configuration's containers next to the old ones; the answer does not wait for them. */
  action('UpdateEndpoint', {
    input: z.strictObject({
      EndpointName: z.string(),
      EndpointConfigName: z.string(),
      RetainAllVariantProperties: z.boolean().optional(),
      ExcludeRetainedVariantProperties: z
        .array(
          z.strictObject({
            VariantPropertyType: z.enum(['DesiredInstanceCount', 'DesiredWeight', 'DataCaptureConfig']),
          }),
        )
        .optional(),
      DeploymentConfig: DeploymentConfig.optional(),
      RetainDeploymentConfig: z.boolean().optional(),
    }),
    permissions: asking((input, name) => [
      on(state, 'endpoint', input, name),
      on(state, 'endpoint-config', input, name),
      ...usingKey(state, input),
      ...watchingAlarms(state, input),
    ]),
    run: (input) => {
      const endpoint = requireEndpoint(state, input.EndpointName);
      const config = requireEndpointConfig(state, input.EndpointConfigName);
      if (endpoint.status !== 'InService')
        throw validationException(
          endpoint.status === 'Failed'
            ? `Cannot update endpoint "${endpoint.arn}" in status Failed: delete it and create it again.`
            : `Cannot update in-progress endpoint "${endpoint.arn}".`,
        );
      if (endpoint.content.host !== undefined || toComponentHost(config) !== undefined)
        throw validationException(
          'Updates of endpoints that host inference components are not emulated by this stack: change the components.',
        );
      const deployment =
        input.DeploymentConfig ?? (input.RetainDeploymentConfig ? endpoint.content.deployment : undefined);
      checkDeployment(deployment, state.alarms);
      const excluded = new Set(
        input.ExcludeRetainedVariantProperties?.map(({ VariantPropertyType }) => VariantPropertyType),
      );
      const configured = toHostedVariants(state, config);
      const variants = input.RetainAllVariantProperties
        ? retainProperties(configured, endpoint.content.variants, excluded)
        : configured;
      refuseServerless(endpoint.content.variants, variants);
      requireEndpointInstances(state, variants);
      state.hosting.update({
        ...endpoint,
        pending: {
          configName: input.EndpointConfigName,
          variants,
          startTimeMs: state.clock.now(),
          ...(deployment && { deployment }),
        },
      });
      return { EndpointArn: endpoint.arn };
    },
  }),
  /** Gives variants other weights or numbers of containers; goes like an update, so that no request fails. */
  action('UpdateEndpointWeightsAndCapacities', {
    input: z.strictObject({
      EndpointName: z.string(),
      DesiredWeightsAndCapacities: z.array(Desired),
    }),
    run: ({ EndpointName, DesiredWeightsAndCapacities }) => {
      const endpoint = requireEndpoint(state, EndpointName);
      if (endpoint.status !== 'InService')
        throw validationException(`Cannot update in-progress endpoint "${endpoint.arn}".`);
      const desired = new Map(DesiredWeightsAndCapacities.map((one) => [one.VariantName, one] as const));
      for (const { VariantName } of desired.values()) {
        if (!endpoint.content.variants.some(({ settings }) => settings.VariantName === VariantName))
          throw validationException(`The endpoint has no production variant ${VariantName}`);
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
  }),
];

/** Variants of a new configuration, with the weights and instance counts that the current variants of the same names have. */
function retainProperties(
  configured: readonly HostedVariant[],
  current: readonly HostedVariant[],
  excluded: ReadonlySet<string>,
): HostedVariant[] {
  return configured.map((variant) => {
    const before = current.find(({ settings }) => settings.VariantName === variant.settings.VariantName);
    if (!before) return variant;
    return {
      ...variant,
      ...(!excluded.has('DesiredWeight') && { weight: before.weight }),
      ...(!excluded.has('DesiredInstanceCount') &&
        variant.instanceCount !== undefined &&
        before.instanceCount !== undefined && { instanceCount: before.instanceCount }),
    };
  });
}

/** "You cannot convert your instance-based, real-time endpoint to a serverless endpoint": the developer guide, serverless inference. */
function refuseServerless(current: readonly HostedVariant[], wanted: readonly HostedVariant[]): void {
  const hasInstances = current.some(({ instanceCount }) => instanceCount !== undefined);
  if (hasInstances && wanted.some(({ instanceCount }) => instanceCount === undefined))
    throw validationException(
      'An endpoint with variants that run on instances cannot be updated to serverless variants.',
    );
}

const Desired = z.strictObject({
  VariantName: z.string(),
  DesiredWeight: z.number().optional(),
  DesiredInstanceCount: z.int().min(1).optional(),
});
