import type { Clock } from '../kernel/clock.ts';
import type { AlarmActions, CopyCounts } from '../kernel/ports.ts';
import type { Documents } from '../storage/document-file.ts';
import { StepScaling, TargetTracking } from './component-policy.ts';
import { componentOf, type ScalableTarget, type ScalingPolicy, targetKey } from './scalable-target.ts';

interface ComponentScalingOptions {
  readonly targets: Documents<ScalableTarget>;
  readonly policies: Documents<ScalingPolicy>;
  readonly copies: CopyCounts;
  readonly alarms: AlarmActions;
  readonly clock: Clock;
}

/** How often alarms and invocations are looked at. */
const LOOK_EVERY_MS = 5_000;
/** The alarm that Application Auto Scaling makes for a component is on for 90 periods of ten seconds before it removes copies. */
const UNUSED_MS = 15 * 60_000;

/**
 * Scales the copies of inference components: out by a step policy when its alarm rings, in to the fewest copies after a quarter of
 * an hour without invocations. Nothing runs while no component is registered.
 */
export class ComponentScaling {
  readonly #options: ComponentScalingOptions;
  readonly #scaledOutMs = new Map<string, number>();
  #cancel: (() => void) | undefined;
  #closed = false;

  constructor(options: ComponentScalingOptions) {
    this.#options = options;
  }

  /** Begins to look, if a component is registered. */
  watch(): void {
    const { targets, clock } = this.#options;
    if (this.#closed || this.#cancel !== undefined) return;
    if (![...targets.values()].some((target) => componentOf(target) !== undefined)) return;
    this.#cancel = clock.after(LOOK_EVERY_MS, () => {
      this.#cancel = undefined;
      for (const target of targets.values()) this.#scale(target);
      this.watch();
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel?.();
  }

  #scale(target: ScalableTarget): void {
    const { copies } = this.#options;
    const component = componentOf(target);
    const desired = component === undefined ? undefined : copies.desired(component);
    if (component === undefined || desired === undefined) return;
    const { MinCapacity, MaxCapacity } = target;
    const wanted = Math.max(MinCapacity, Math.min(MaxCapacity, this.#wanted(target, component, desired)));
    if (wanted !== desired) copies.set(component, wanted);
  }

  #wanted(target: ScalableTarget, component: string, desired: number): number {
    const { policies, copies, alarms, clock } = this.#options;
    const key = targetKey(target);
    const own = [...policies.values()].filter((policy) => targetKey(policy) === key);
    const sinceOutMs = clock.now() - (this.#scaledOutMs.get(key) ?? 0);
    for (const { arn, StepScalingPolicyConfiguration: steps } of own) {
      if (steps === undefined || !alarms.isRinging(arn)) continue;
      const { AdjustmentType, Cooldown, StepAdjustments } = StepScaling.parse(steps);
      if (sinceOutMs < Cooldown * 1000) continue;
      this.#scaledOutMs.set(key, clock.now());
      const adjustment = StepAdjustments[0]?.ScalingAdjustment ?? 0;
      return AdjustmentType === 'ExactCapacity' ? adjustment : desired + adjustment;
    }
    for (const { TargetTrackingScalingPolicyConfiguration: tracking } of own) {
      if (tracking === undefined) continue;
      const cooldownMs = TargetTracking.parse(tracking).ScaleInCooldown * 1000;
      if (sinceOutMs >= cooldownMs && copies.unusedMs(component) >= UNUSED_MS) return target.MinCapacity;
    }
    return desired;
  }
}
