import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { AutoscalingState } from '../autoscaling-state.ts';

/** `DescribeScalingPolicies`, in one page. */
export const describeScalingPolicies = ({ policies }: AutoscalingState) =>
  action('DescribeScalingPolicies', {
    input: z.strictObject({
      PolicyNames: z.array(z.string()).optional(),
      ServiceNamespace: z.string(),
      ResourceId: z.string().optional(),
      ScalableDimension: z.string().optional(),
    }),
    run: ({ PolicyNames, ServiceNamespace, ResourceId, ScalableDimension }) => ({
      ScalingPolicies: [...policies.values()]
        .filter(
          (policy) =>
            policy.ServiceNamespace === ServiceNamespace &&
            (PolicyNames?.includes(policy.PolicyName) ?? true) &&
            (ResourceId ?? policy.ResourceId) === policy.ResourceId &&
            (ScalableDimension ?? policy.ScalableDimension) === policy.ScalableDimension,
        )
        .map(({ arn, createdMs, ...policy }) => ({
          ...policy,
          PolicyARN: arn,
          Alarms: [],
          CreationTime: new Date(createdMs),
        })),
    }),
  });
