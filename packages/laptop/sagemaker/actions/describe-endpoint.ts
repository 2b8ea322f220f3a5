import * as z from 'zod';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import type { EndpointRecord } from '../endpoint/endpoint-record.ts';
import { toVariantSummary } from '../endpoint/variant-summary.ts';
import { parseInput } from '../parse-input.ts';
import { requireEndpoint } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Status and variants of an endpoint; while it is updated, also what is coming. */
export function describeEndpoint(state: SageMakerState, body: unknown): Record<string, unknown> {
  const { EndpointName } = parseInput(z.strictObject({ EndpointName: ResourceName }), body);
  const { content, pending, ...endpoint } = requireEndpoint(state, EndpointName);
  const isServing = endpoint.status !== 'Creating' && endpoint.status !== 'Failed';
  return {
    EndpointName: endpoint.name,
    EndpointArn: endpoint.arn,
    EndpointConfigName: content.configName,
    ...(isServing && { ProductionVariants: content.variants.map(toVariantSummary) }),
    EndpointStatus: endpoint.status,
    FailureReason: endpoint.failureReason,
    CreationTime: new Date(endpoint.creationTimeMs),
    LastModifiedTime: new Date(endpoint.lastModifiedTimeMs),
    LastDeploymentConfig: content.deployment,
    PendingDeploymentSummary: pending && toPendingSummary(pending),
  };
}

function toPendingSummary({ configName, variants, startTimeMs }: NonNullable<EndpointRecord['pending']>) {
  const StartTime = new Date(startTimeMs);
  return {
    EndpointConfigName: configName,
    StartTime,
    ProductionVariants: variants.map((variant) => ({
      ...toVariantSummary(variant),
      VariantStatus: [{ Status: 'Creating', StartTime }],
    })),
  };
}
