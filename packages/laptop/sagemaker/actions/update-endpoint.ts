import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { asking, on, usingKey, watchingAlarms } from '../asked-of-role.ts';
import { checkDeployment } from '../endpoint/check-deployment.ts';
import { DeploymentConfig } from '../endpoint/deployment-config.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import type { HostedVariant } from '../endpoint/endpoint-record.ts';
import { toComponentHost, toHostedVariants } from '../endpoint/to-hosted-variant.ts';
import { requireEndpointInstances } from '../instance-quota.ts';
import { requireEndpoint, requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Starts the new configuration's containers next to the old ones; the answer does not wait for them. */
export const updateEndpoint = (state: SageMakerState) =>
  action('UpdateEndpoint', {
    input: z.strictObject({
      EndpointName: ResourceName,
      EndpointConfigName: ResourceName,
      RetainAllVariantProperties: z.boolean().optional(),
      ExcludeRetainedVariantProperties: z
        .array(
          z.strictObject({
            VariantPropertyType: z.enum(['DesiredInstanceCount', 'DesiredWeight', 'DataCaptureConfig']),
          }),
        )
        .max(3)
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
      if (endpoint.status !== 'InService') {
        throw validationException(
          endpoint.status === 'Failed'
            ? `Cannot update endpoint "${endpoint.arn}" in status Failed: delete it and create it again.`
            : `Cannot update in-progress endpoint "${endpoint.arn}".`,
        );
      }
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
  });

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
