import * as z from 'zod';
import { validationException } from '../kernel/aws-error.ts';
import type { ScalingPolicy } from './scalable-target.ts';

/** Step scaling by which a component wakes: each look at a ringing alarm adds copies, or sets their number. */
export const StepScaling = z.strictObject({
  AdjustmentType: z.enum(['ChangeInCapacity', 'ExactCapacity']),
  MetricAggregationType: z.enum(['Average', 'Minimum', 'Maximum']).optional(),
  Cooldown: z.int().min(0).default(300),
  StepAdjustments: z
    .array(z.strictObject({ MetricIntervalLowerBound: z.literal(0), ScalingAdjustment: z.int().positive() }))
    .length(1),
});

/** Target tracking by which a component falls asleep. */
export const TargetTracking = z.strictObject({
  TargetValue: z.number().positive(),
  PredefinedMetricSpecification: z.strictObject({
    PredefinedMetricType: z.literal('SageMakerInferenceComponentInvocationsPerCopy'),
  }),
  ScaleInCooldown: z.int().min(0).default(300),
  ScaleOutCooldown: z.int().min(0).optional(),
  DisableScaleIn: z.literal(false).optional(),
});

/**
 * Refuses the policies of inference components that this stack does not carry out.
 *
 * @throws {AwsError} `ValidationException`
 */
export function requireComponentPolicy(
  policy: Pick<
    ScalingPolicy,
    'PolicyType' | 'StepScalingPolicyConfiguration' | 'TargetTrackingScalingPolicyConfiguration'
  >,
): void {
  const parsed =
    policy.PolicyType === 'StepScaling'
      ? StepScaling.safeParse(policy.StepScalingPolicyConfiguration)
      : TargetTracking.safeParse(policy.TargetTrackingScalingPolicyConfiguration);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  throw validationException(
    `This stack does not carry out the policy: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''} ` +
      '(application-autoscaling/README.md has what it does)',
  );
}
