import type { CapacitySize, DeploymentConfig } from './deployment-config.ts';

/** One step of a blue/green update: this share of the traffic goes to the new fleet, then it is watched for a while. */
export interface TrafficStep {
  /** 0 to 1. */
  readonly share: number;
  readonly bakeMs: number;
}

/** The steps of a deployment, the last of which has all traffic; everything at once and no watching by default. */
export function toTrafficSteps(
  deployment: DeploymentConfig | undefined,
  instanceCount: number,
): readonly TrafficStep[] {
  const routing = deployment?.BlueGreenUpdatePolicy?.TrafficRoutingConfiguration;
  if (routing === undefined) return [{ share: 1, bakeMs: 0 }];
  const bakeMs = routing.WaitIntervalInSeconds * 1000;
  const all: TrafficStep = { share: 1, bakeMs };
  if (routing.Type === 'ALL_AT_ONCE') return [all];
  const size = routing.Type === 'CANARY' ? routing.CanarySize : routing.LinearStepSize;
  const step = toShare(size, instanceCount);
  if (routing.Type === 'CANARY') return [{ share: step, bakeMs }, all];
  const steps: TrafficStep[] = [];
  for (let share = step; share < 1 - 1e-9; share += step) steps.push({ share, bakeMs });
  return [...steps, all];
}

function toShare(size: CapacitySize | undefined, instanceCount: number): number {
  if (size === undefined) return 1;
  return Math.min(1, size.Type === 'CAPACITY_PERCENT' ? size.Value / 100 : size.Value / instanceCount);
}
