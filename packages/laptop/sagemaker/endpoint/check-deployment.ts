import { validationException } from '../../kernel/aws-error.ts';
import type { AlarmStates } from '../../kernel/ports.ts';
import type { DeploymentConfig } from './deployment-config.ts';

/**
 * Refuses deployments that this stack does not do, or that cannot be as they are asked for.
 *
 * @throws {AwsError} `ValidationException`
 */
export function checkDeployment(deployment: DeploymentConfig | undefined, alarms: AlarmStates): void {
  if (deployment === undefined) return;
  if (deployment.RollingUpdatePolicy !== undefined) {
    refuse('RollingUpdatePolicy is not emulated by this stack: use BlueGreenUpdatePolicy');
  }
  const routing = deployment.BlueGreenUpdatePolicy?.TrafficRoutingConfiguration;
  if (routing?.Type === 'CANARY' && routing.CanarySize === undefined)
    refuse('TrafficRoutingConfiguration of type CANARY must have a CanarySize');
  if (routing?.Type === 'LINEAR' && routing.LinearStepSize === undefined)
    refuse('TrafficRoutingConfiguration of type LINEAR must have a LinearStepSize');
  const percent = [routing?.CanarySize, routing?.LinearStepSize].find(
    (size) => size?.Type === 'CAPACITY_PERCENT' && size.Value > 50,
  );
  if (percent) refuse(`CanarySize and LinearStepSize must be at most 50 percent, is ${percent.Value}`);
  for (const { AlarmName } of deployment.AutoRollbackConfiguration?.Alarms ?? []) {
    if (alarms.stateOf(AlarmName) === undefined)
      refuse(`Alarm ${AlarmName} of AutoRollbackConfiguration does not exist`);
  }
}

function refuse(message: string): never {
  throw validationException(message);
}
