import { isQuotaTooSmall, isTypeUnknown } from '../problem/aws-words.ts';
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
