import * as z from 'zod';
import { validationException } from '../../kernel/aws-error.ts';
import type { AlarmStates } from '../../kernel/ports.ts';

/** `DeploymentConfig` of CreateEndpoint and UpdateEndpoint. */
export const DeploymentConfig = z.strictObject({
  BlueGreenUpdatePolicy: z
    .strictObject({
      TrafficRoutingConfiguration: z.strictObject({
        Type: z.enum(['ALL_AT_ONCE', 'CANARY', 'LINEAR']),
        WaitIntervalInSeconds: z.int(),
        CanarySize: z.unknown().optional(),
        LinearStepSize: z.unknown().optional(),
      }),
      TerminationWaitInSeconds: z.int().optional(),
      MaximumExecutionTimeoutInSeconds: z.int().optional(),
    })
    .optional(),
  RollingUpdatePolicy: z.unknown().optional(),
  AutoRollbackConfiguration: z
    .strictObject({ Alarms: z.array(z.strictObject({ AlarmName: z.string() })) })
    .optional(),
});
export type DeploymentConfig = z.infer<typeof DeploymentConfig>;

/** Refuses deployments that this stack doesn't support, and impossible ones. */
export function checkDeployment(deployment: DeploymentConfig | undefined, alarms: AlarmStates): void {
  if (deployment === undefined) return;
  if (deployment.RollingUpdatePolicy !== undefined)
    refuse('RollingUpdatePolicy is not emulated by this stack: use BlueGreenUpdatePolicy');
  const routing = deployment.BlueGreenUpdatePolicy?.TrafficRoutingConfiguration;
  if (routing !== undefined && routing.Type !== 'ALL_AT_ONCE')
    refuse(
      `TrafficRoutingConfiguration of type ${routing.Type} is not emulated by this stack: use ALL_AT_ONCE`,
    );
  for (const { AlarmName } of deployment.AutoRollbackConfiguration?.Alarms ?? []) {
    if (alarms.stateOf(AlarmName) === undefined)
      refuse(`Alarm ${AlarmName} of AutoRollbackConfiguration does not exist`);
  }
}

function refuse(message: string): never {
  throw validationException(message);
}
