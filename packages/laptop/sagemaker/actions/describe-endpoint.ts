import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import type { EndpointRecord } from '../endpoint/endpoint-record.ts';
import { toHostSummary, toVariantSummary } from '../endpoint/variant-summary.ts';
import { requireEndpoint } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Status and variants of an endpoint; while it is updated, also what is coming. */
export const describeEndpoint = (state: SageMakerState) =>
  action('DescribeEndpoint', {
    input: z.strictObject({ EndpointName: ResourceName }),
    permissions: onOne(state, 'endpoint'),
    run: ({ EndpointName }) => {
      const { content, pending, ...endpoint } = requireEndpoint(state, EndpointName);
      const isServing = endpoint.status !== 'Creating' && endpoint.status !== 'Failed';
      return {
        EndpointName: endpoint.name,
        EndpointArn: endpoint.arn,
        EndpointConfigName: content.configName,
        ...(isServing && {
          ProductionVariants: content.host
            ? [toHostSummary(content.host)]
            : content.variants.map(toVariantSummary),
        }),
        EndpointStatus: endpoint.status,
        FailureReason: endpoint.failureReason,
        CreationTime: new Date(endpoint.creationTimeMs),
        LastModifiedTime: new Date(endpoint.lastModifiedTimeMs),
        LastDeploymentConfig: content.deployment,
        PendingDeploymentSummary:
          pending && toPendingSummary(pending, state.hosting.bakingSinceMs(EndpointName)),
      };
    },
  });

function toPendingSummary(
  { configName, variants, startTimeMs }: NonNullable<EndpointRecord['pending']>,
  bakingSinceMs: number | undefined,
) {
  const isBaking = bakingSinceMs !== undefined;
  return {
    EndpointConfigName: configName,
    StartTime: new Date(startTimeMs),
    ProductionVariants: variants.map((variant) => ({
      ...toVariantSummary(variant),
      VariantStatus: [
        { Status: isBaking ? 'Baking' : 'Creating', StartTime: new Date(bakingSinceMs ?? startTimeMs) },
      ],
    })),
  };
}
