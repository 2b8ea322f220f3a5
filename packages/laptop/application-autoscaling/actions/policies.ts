import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onTarget } from '../asked-of-role.ts';
import { type AutoscalingState, requireTarget } from '../autoscaling-state.ts';
import { requireComponentPolicy } from '../component-policy.ts';
import { componentOf, ScalingPolicy, TargetName } from '../scalable-target.ts';

const { PolicyName, PolicyType, TargetTrackingScalingPolicyConfiguration, StepScalingPolicyConfiguration } =
  ScalingPolicy.shape;

/** Calls on scaling policies. */
export const policyActions = (state: AutoscalingState) => [
  /** `PutScalingPolicy`: records a policy, or brings it to these settings. It makes no alarms. */
  action('PutScalingPolicy', {
    input: z.strictObject({
      ...TargetName.shape,
      PolicyName,
      PolicyType: PolicyType.default('StepScaling'),
      TargetTrackingScalingPolicyConfiguration,
      StepScalingPolicyConfiguration,
    }),
    permissions: onTarget(state),
    run: (input) => {
      requireTarget(state, input);
      if (componentOf(input) !== undefined) requireComponentPolicy(input);
      const before = [...state.policies.values()].find(
        (policy) => policy.PolicyName === input.PolicyName && policy.ResourceId === input.ResourceId,
      );
      const { partition, region, account } = state.site;
      const arn =
        before?.arn ??
        `arn:${partition}:autoscaling:${region}:${account}:scalingPolicy:${state.newId()}:resource/sagemaker/${input.ResourceId}:policyName/${input.PolicyName}`;
      state.policies.set(arn, { ...input, arn, createdMs: before?.createdMs ?? state.clock.now() });
      return { PolicyARN: arn, Alarms: [] };
    },
  }),
  /** `DescribeScalingPolicies`, in one page. */
  action('DescribeScalingPolicies', {
    input: z.strictObject({
      PolicyNames: z.array(z.string()).optional(),
      ServiceNamespace: z.string(),
      ResourceId: z.string().optional(),
      ScalableDimension: z.string().optional(),
    }),
    run: ({ PolicyNames, ServiceNamespace, ResourceId, ScalableDimension }) => ({
      ScalingPolicies: [...state.policies.values()]
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
  }),
];
