import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { onTarget, onTargetAndRole } from '../asked-of-role.ts';
import { type AutoscalingState, linkedRoleArn, requireTarget } from '../autoscaling-state.ts';
import { componentOf, targetKey, TargetName } from '../scalable-target.ts';

/** Calls on scalable targets. */
export const targetActions = (state: AutoscalingState) => [
  /** `RegisterScalableTarget`: records a target, or changes the given fields of an existing one. */
  action('RegisterScalableTarget', {
    input: z.strictObject({
      ...TargetName.shape,
      MinCapacity: z.int().min(0).optional(),
      MaxCapacity: z.int().min(0).optional(),
      RoleARN: z.string().optional(),
      SuspendedState: z.record(z.string(), z.boolean()).optional(),
      /** Accepted and not kept. */
      Tags: z.record(z.string(), z.string()).optional(),
    }),
    permissions: onTargetAndRole(state),
    run: ({ Tags: _, ...input }) => {
      requireScalable(state, input);
      const before = state.targets.get(targetKey(input));
      const MinCapacity = input.MinCapacity ?? before?.MinCapacity;
      const MaxCapacity = input.MaxCapacity ?? before?.MaxCapacity;
      if (MinCapacity === undefined || MaxCapacity === undefined)
        throw validationException('MinCapacity and MaxCapacity are required when a target is registered');
      if (MinCapacity > MaxCapacity)
        throw validationException(
          `Maximum capacity cannot be less than minimum capacity: ${MaxCapacity} < ${MinCapacity}`,
        );
      const { partition, region, account } = state.site;
      const linkedRole = linkedRoleArn(state.site);
      state.linkedRoles.set(linkedRole, { arn: linkedRole });
      const arn =
        before?.arn ??
        `arn:${partition}:application-autoscaling:${region}:${account}:scalable-target/${state.newId()}`;
      state.targets.set(targetKey(input), {
        ServiceNamespace: input.ServiceNamespace,
        ResourceId: input.ResourceId,
        ScalableDimension: input.ScalableDimension,
        MinCapacity,
        MaxCapacity,
        RoleARN: input.RoleARN ?? before?.RoleARN ?? linkedRole,
        SuspendedState: {
          DynamicScalingInSuspended: false,
          DynamicScalingOutSuspended: false,
          ScheduledScalingSuspended: false,
          ...before?.SuspendedState,
          ...input.SuspendedState,
        },
        arn,
        createdMs: before?.createdMs ?? state.clock.now(),
      });
      state.scaling.watch();
      return { ScalableTargetARN: arn };
    },
  }),
  /** `DescribeScalableTargets`, in one page. */
  action('DescribeScalableTargets', {
    input: z.strictObject({
      ServiceNamespace: z.string(),
      ResourceIds: z.array(z.string()).optional(),
      ScalableDimension: z.string().optional(),
    }),
    run: ({ ServiceNamespace, ResourceIds, ScalableDimension }) => ({
      ScalableTargets: [...state.targets.values()]
        .filter(
          (target) =>
            target.ServiceNamespace === ServiceNamespace &&
            (ResourceIds?.includes(target.ResourceId) ?? true) &&
            (ScalableDimension ?? target.ScalableDimension) === target.ScalableDimension,
        )
        .map(({ arn, createdMs, ...target }) => ({
          ...target,
          ScalableTargetARN: arn,
          CreationTime: new Date(createdMs),
        })),
    }),
  }),
  /** `DeregisterScalableTarget`: the target's policies go with it. */
  action('DeregisterScalableTarget', {
    input: TargetName,
    permissions: onTarget(state),
    run: (name) => {
      requireTarget(state, name);
      state.targets.delete(targetKey(name));
      for (const policy of [...state.policies.values()]) {
        if (targetKey(policy) === targetKey(name)) state.policies.delete(policy.arn);
      }
    },
  }),
];

/** Variants are not looked up. */
function requireScalable({ copies }: AutoscalingState, target: TargetName): void {
  const component = componentOf(target);
  const isOfComponents = target.ScalableDimension === 'sagemaker:inference-component:DesiredCopyCount';
  if (isOfComponents !== (component !== undefined))
    throw validationException(
      `Unsupported service namespace, resource type or scalable dimension: ${target.ResourceId} has no ${target.ScalableDimension}`,
    );
  if (component !== undefined && copies.desired(component) === undefined)
    throw validationException(`Could not find inference component "${component}".`);
}
