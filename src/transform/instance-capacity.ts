import { Condition } from '../problem/conditions.ts';

/** AWS has no capacity for any instance type of the plan; `field` of pipeline.json names them. */
export class InstanceCapacity extends Condition {
  constructor(
    instanceTypes: readonly string[],
    reasons: readonly string[],
    field = 'transform.instanceTypes',
  ) {
    super(
      'InstanceCapacity',
      `no instance was available of ${instanceTypes.join(', ')}: ${reasons.join('; ')}. ` +
        `Name more types in ${field}, ask AWS for a higher quota, or run it later with inferdrop rerun`,
    );
  }
}

/** Whether a job ended for lack of an instance, so that nothing ran and nothing is billed. */
export function isCapacityFailure(failureReason: string | undefined): boolean {
  return failureReason?.startsWith('CapacityError') ?? false;
}

/**
 * Whether waiting cannot help: the quota itself is smaller than the request. SageMaker says `… is 2 Instances, with current
 * utilization of 0 Instances and a request delta of 4 Instances`.
 */
export function isQuotaTooSmall(message: string): boolean {
  const [, quota] = /is (\d+) Instances?\b/.exec(message) ?? [];
  const [, delta] = / request delta of (\d+)/.exec(message) ?? [];
  return quota !== undefined && delta !== undefined && Number(quota) < Number(delta);
}

/**
 * Whether a request was refused only because the region lacks the instance type: the enumeration that SageMaker validates against
 * is the region's.
 */
export function isTypeUnknown(message: string): boolean {
  return /^1 validation error detected: .* at '(?:transformResources|resourceConfig)\.instanceType' failed to satisfy constraint: Member must satisfy enum value set/.test(
    message,
  );
}

/** Why SageMaker starts no job on an instance type, so that another is tried; `passes` if waiting can help. */
export interface InstanceRefusal {
  readonly refusal: string;
  readonly passes: boolean;
}

/** The refusal behind an error of a Create call; undefined if its reason is not the instance type. */
export function instanceRefusal({ name, message }: Error): InstanceRefusal | undefined {
  if (name === 'ResourceLimitExceeded') return { refusal: message, passes: !isQuotaTooSmall(message) };
  if (name === 'ValidationException' && isTypeUnknown(message))
    return { refusal: 'SageMaker has no such type in this region', passes: false };
  return undefined;
}
