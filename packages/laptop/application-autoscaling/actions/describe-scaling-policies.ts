import * as z from 'zod';
import type { AutoscalingState } from '../autoscaling-state.ts';

const Input = z.strictObject({
  PolicyNames: z.array(z.string()).optional(),
  ServiceNamespace: z.string(),
  ResourceId: z.string().optional(),
  ScalableDimension: z.string().optional(),
});

/** `DescribeScalingPolicies`, in one page. */
export function describeScalingPolicies({ policies }: AutoscalingState) {
  return (body: unknown) => {
    const { PolicyNames, ServiceNamespace, ResourceId, ScalableDimension } = Input.parse(body);
    return {
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
    };
  };
}
