import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onTarget } from '../asked-of-role.ts';
import type { AutoscalingState } from '../autoscaling-state.ts';
import { TargetName } from '../scalable-target.ts';

/** `DeleteScalingPolicy`. */
export const deleteScalingPolicy = (state: AutoscalingState) =>
  action('DeleteScalingPolicy', {
    input: z.strictObject({ ...TargetName.shape, PolicyName: z.string() }),
    permissions: onTarget(state),
    run: ({ PolicyName, ResourceId }) => {
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
    },
  });
