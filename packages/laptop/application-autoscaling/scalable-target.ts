import * as z from 'zod';

/** Identity of a target in every call. */
export const TargetName = z.strictObject({
  ServiceNamespace: z.literal('sagemaker'),
  /** `endpoint/<name>/variant/<name>`, or `inference-component/<name>` */
  ResourceId: z.string().regex(/^(endpoint\/[^/]+\/variant|inference-component)\/[^/]+$/),
  ScalableDimension: z.enum([
    'sagemaker:variant:DesiredInstanceCount',
    'sagemaker:variant:DesiredProvisionedConcurrency',
    'sagemaker:inference-component:DesiredCopyCount',
  ]),
});
export type TargetName = z.infer<typeof TargetName>;

/** A variant or an inference component that can be scaled within limits. */
export const ScalableTarget = TargetName.extend({
  MinCapacity: z.int().min(0),
  MaxCapacity: z.int().min(0),
  RoleARN: z.string(),
  SuspendedState: z.record(z.string(), z.boolean()),
  arn: z.string(),
  createdMs: z.number(),
});
export type ScalableTarget = z.infer<typeof ScalableTarget>;

/** How a target would be scaled. */
export const ScalingPolicy = TargetName.extend({
  PolicyName: z.string().min(1).max(256),
  PolicyType: z.enum(['StepScaling', 'TargetTrackingScaling']),
  TargetTrackingScalingPolicyConfiguration: z.record(z.string(), z.unknown()).optional(),
  StepScalingPolicyConfiguration: z.record(z.string(), z.unknown()).optional(),
  arn: z.string(),
  createdMs: z.number(),
});
export type ScalingPolicy = z.infer<typeof ScalingPolicy>;

/** The key under which a target is kept. */
export function targetKey({ ResourceId, ScalableDimension }: TargetName): string {
  return `${ResourceId} ${ScalableDimension}`;
}

/** The inference component that a target scales; undefined for a variant. */
export function componentOf({ ResourceId }: Pick<TargetName, 'ResourceId'>): string | undefined {
  const [kind, name] = ResourceId.split('/');
  return kind === 'inference-component' ? name : undefined;
}
