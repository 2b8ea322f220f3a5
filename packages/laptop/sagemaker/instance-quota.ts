import { AwsError } from '../kernel/aws-error.ts';
import { type AccountLimits, instanceQuota, type InstanceUsage } from '../service-quotas/account-limits.ts';
import type { ComponentHost, EndpointRecord, HostedVariant } from './endpoint/endpoint-record.ts';
import type { SageMakerState } from './sagemaker-state.ts';

type State = Pick<SageMakerState, 'jobs' | 'trainingJobs' | 'endpoints' | 'limits'>;

/** Numbers of instances by type. */
type Instances = ReadonlyMap<string, number>;

/**
 * Refuses a transform job for which too few instances of its type are left.
 *
 * @throws {AwsError} `ResourceLimitExceeded`
 */
export function requireTransformInstances(
  { jobs, limits }: State,
  instanceType: string,
  count: number,
): void {
  const used = [...jobs.values()].filter(isAtWork).map(({ input }) => input.TransformResources);
  requireInstances(limits, 'transform job', usedBy(used), new Map([[instanceType, count]]));
}

/**
 * Refuses a training job for which too few instances of its type are left.
 *
 * @throws {AwsError} `ResourceLimitExceeded`
 */
export function requireTrainingInstances(
  { trainingJobs, limits }: State,
  instanceType: string,
  count: number,
): void {
  const used = [...trainingJobs.values()].filter(isAtWork).map(({ input }) => input.ResourceConfig);
  requireInstances(limits, 'training job', usedBy(used), new Map([[instanceType, count]]));
}

/**
 * Refuses variants for which too few instances of their types are left. An update has its new instances next to the old ones until
 * the traffic has moved.
 *
 * @throws {AwsError} `ResourceLimitExceeded`
 */
export function requireEndpointInstances(
  { endpoints, limits }: State,
  variants: readonly HostedVariant[],
  host?: ComponentHost,
): void {
  const asked = host === undefined ? variants : [...variants, host];
  requireInstances(limits, 'endpoint', endpointInstances(endpoints.values()), ofVariants(asked));
}

/** Whether the account may have more instances of a type for endpoints, as SageMaker asks when it scales them itself. */
export function hasRoomForEndpoint(
  { endpoints, limits }: State,
  instanceType: string,
  more: number,
): boolean {
  const used = endpointInstances(endpoints.values()).get(instanceType) ?? 0;
  return used + more <= instanceQuota(limits, 'endpoint', instanceType);
}

/** SageMaker's refusal; the same text for every kind of use. */
export function limitExceeded(
  usage: InstanceUsage,
  instanceType: string,
  { quota, used, asked }: { readonly quota: number; readonly used: number; readonly asked: number },
): AwsError {
  return new AwsError(
    'ResourceLimitExceeded',
    `The account-level service limit '${instanceType} for ${usage} usage' is ${quota} Instances, with current ` +
      `utilization of ${used} Instances and a request delta of ${asked} Instances. ` +
      'Please use AWS Service Quotas to request an increase for this quota. If AWS Service Quotas is not available, ' +
      'contact AWS support to request an increase for this quota.',
  );
}

function requireInstances(
  limits: AccountLimits,
  usage: InstanceUsage,
  usedByType: Instances,
  askedByType: Instances,
): void {
  for (const [instanceType, asked] of askedByType) {
    const quota = instanceQuota(limits, usage, instanceType);
    const used = usedByType.get(instanceType) ?? 0;
    if (asked > 0 && used + asked > quota) throw limitExceeded(usage, instanceType, { quota, used, asked });
  }
}

/** Instances of all endpoints, except failed ones. */
function endpointInstances(endpoints: Iterable<EndpointRecord>): Instances {
  return ofVariants(
    [...endpoints]
      .filter(({ status }) => status !== 'Failed')
      .flatMap(({ content, pending }) => [
        ...content.variants,
        ...(content.host === undefined ? [] : [content.host]),
        ...(pending?.variants ?? []),
      ]),
  );
}

/** Serverless variants have no instances. */
function ofVariants(variants: readonly Pick<HostedVariant, 'settings' | 'instanceCount'>[]): Instances {
  return sumByType(
    variants.flatMap(({ settings: { InstanceType: type }, instanceCount: count }) =>
      type === undefined || count === undefined ? [] : [[type, count] as const],
    ),
  );
}

function isAtWork({ status }: { readonly status: string }): boolean {
  return status === 'InProgress' || status === 'Stopping';
}

function usedBy(
  jobs: readonly {
    readonly InstanceType?: string | undefined;
    readonly InstanceCount?: number | undefined;
  }[],
): Instances {
  return sumByType(
    jobs.map(({ InstanceType = '', InstanceCount = 0 }) => [InstanceType, InstanceCount] as const),
  );
}

function sumByType(counts: Iterable<readonly [string, number]>): Instances {
  const sums = new Map<string, number>();
  for (const [type, count] of counts) sums.set(type, (sums.get(type) ?? 0) + count);
  return sums;
}
