import type { AutoscalingState } from '../autoscaling-state.ts';
import { requireTarget } from '../autoscaling-state.ts';
import { targetKey, TargetName } from '../scalable-target.ts';

/** `DeregisterScalableTarget`: the target's policies go with it. */
export function deregisterScalableTarget(state: AutoscalingState) {
  return (body: unknown): void => {
    const name = TargetName.parse(body);
    requireTarget(state, name);
    state.targets.delete(targetKey(name));
    for (const policy of [...state.policies.values()]) {
      if (targetKey(policy) === targetKey(name)) state.policies.delete(policy.arn);
    }
  };
}
