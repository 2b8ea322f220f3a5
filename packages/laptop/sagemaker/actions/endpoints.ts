import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { toArn } from '../arn.ts';
import { asking, making, on, onAll, onOne, usingKey } from '../asked-of-role.ts';
import { checkDeployment, DeploymentConfig } from '../endpoint/deployment-config.ts';
import { type EndpointRecord, EndpointStatus } from '../endpoint/endpoint-record.ts';
import { toComponentHost, toHostedVariants } from '../endpoint/hosted-variants.ts';
import { toHostSummary, toVariantSummary } from '../endpoint/variant-summary.ts';
import { requireEndpointInstances } from '../instance-quota.ts';
import { ListChangingInput, listPage } from '../list-page.ts';
import { requireEndpoint, requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { Tags } from '../tags.ts';

/** Calls on endpoints, apart from their updates. */
export const endpointActions = (state: SageMakerState) => [
  /** Starts the endpoint's containers; the answer does not wait for them. */
  action('CreateEndpoint', {
    input: z.strictObject({
      EndpointName: z.string(),
      EndpointConfigName: z.string(),
      DeploymentConfig: DeploymentConfig.optional(),
      Tags: Tags.optional(),
    }),
    permissions: asking((input, name) => [
      ...making(state, 'endpoint', input, name),
      on(state, 'endpoint-config', input, name),
      ...usingKey(state, input),
    ]),
    run: ({ EndpointName: name, EndpointConfigName, DeploymentConfig: deployment, Tags: tags = [] }) => {
      const arn = toArn(state.site, 'endpoint', name);
      if (state.endpoints.get(name))
        throw validationException(`Cannot create already existing endpoint "${arn}".`);
      const config = requireEndpointConfig(state, EndpointConfigName);
      checkDeployment(deployment, state.alarms);
      const variants = toHostedVariants(state, config);
      const host = toComponentHost(config);
      requireEndpointInstances(state, variants, host);
      const now = state.clock.now();
      state.hosting.create({
        name,
        arn,
        status: 'Creating',
        creationTimeMs: now,
        lastModifiedTimeMs: now,
        content: {
          configName: EndpointConfigName,
          variants,
          ...(host && { host }),
          ...(deployment && { deployment }),
        },
        tags,
      });
      return { EndpointArn: arn };
    },
  }),
  /** Status and variants of an endpoint; while it is updated, also what is coming. */
  action('DescribeEndpoint', {
    input: z.strictObject({ EndpointName: z.string() }),
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
  }),
  /** Endpoints, by default newest first, ten at a time. */
  action('ListEndpoints', {
    input: ListChangingInput.extend({
      StatusEquals: z
        .enum([...EndpointStatus.options, 'OutOfService', 'SystemUpdating', 'UpdateRollbackFailed'])
        .optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const endpoints = [...state.endpoints.values()].filter(
        ({ status }) => status === (input.StatusEquals ?? status),
      );
      const page = listPage(endpoints, input, (endpoint) => endpoint);
      return {
        Endpoints: page.items.map((one) => ({
          EndpointName: one.name,
          EndpointArn: one.arn,
          CreationTime: new Date(one.creationTimeMs),
          LastModifiedTime: new Date(one.lastModifiedTimeMs),
          EndpointStatus: one.status,
        })),
        NextToken: page.nextToken,
      };
    },
  }),
  /** Stops an endpoint that is not on its way to another status; it is gone when its containers are. */
  action('DeleteEndpoint', {
    input: z.strictObject({ EndpointName: z.string() }),
    permissions: onOne(state, 'endpoint'),
    run: ({ EndpointName }) => {
      const { arn, status } = requireEndpoint(state, EndpointName);
      if (IN_PROGRESS.has(status)) throw validationException(`Cannot update in-progress endpoint "${arn}".`);
      // Users of AWS have seen both a refusal and components that outlive their endpoint; the stricter of the two.
      const hosted = [...state.inferenceComponents.values()].filter(
        ({ input }) => input.EndpointName === EndpointName,
      );
      if (hosted.length > 0)
        throw validationException(
          `Cannot delete endpoint "${arn}": delete its inference components first: ` +
            `${hosted.map(({ input }) => input.InferenceComponentName).join(', ')}.`,
        );
      if (status !== 'Deleting') state.hosting.remove(EndpointName);
    },
  }),
];

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

/** While an endpoint is changing to one of these, AWS can't delete it. */
const IN_PROGRESS = new Set(['Creating', 'Updating', 'RollingBack']);
