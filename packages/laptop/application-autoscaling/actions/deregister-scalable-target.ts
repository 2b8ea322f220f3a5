import { action } from '../../kernel/action.ts';
import { onTarget } from '../asked-of-role.ts';
import { type AutoscalingState, requireTarget } from '../autoscaling-state.ts';
import { targetKey, TargetName } from '../scalable-target.ts';

/** `DeregisterScalableTarget`: the target's policies go with it. */
export const deregisterScalableTarget = (state: AutoscalingState) =>
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
  });
