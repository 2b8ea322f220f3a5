import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { AutoscalingState } from '../autoscaling-state.ts';
import { TargetName } from '../scalable-target.ts';

const Input = z.strictObject({ ...TargetName.shape, PolicyName: z.string() });

/** `DeleteScalingPolicy`. */
export function deleteScalingPolicy(state: AutoscalingState) {
  return (body: unknown): void => {
    const { PolicyName, ResourceId } = Input.parse(body);
    const policy = [...state.policies.values()].find(
      (one) => one.PolicyName === PolicyName && one.ResourceId === ResourceId,
    );
    if (!policy) {
      throw new AwsError(
        'ObjectNotFoundException',
        `No scaling policy found for policy name: ${PolicyName}, resource ID: ${ResourceId}`,
      );
    }
    state.policies.delete(policy.arn);
  };
}
