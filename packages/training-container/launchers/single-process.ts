import type { HostRun, Stage } from '../stage.ts';

/** One process on each host; rank and world size are the script's own business. */
export function launchSingle(stage: Stage): readonly HostRun[] {
  return stage.plans.map((plan) => ({
    host: plan.host,
    ended: stage.start(plan, { command: plan.command }).ended,
  }));
}
