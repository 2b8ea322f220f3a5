import * as z from 'zod';

const WaitSeconds = z.int().min(0).max(3600);

/** `DeploymentConfig` of CreateEndpoint and UpdateEndpoint. */
export const DeploymentConfig = z.strictObject({
  BlueGreenUpdatePolicy: z
    .strictObject({
      TrafficRoutingConfiguration: z.strictObject({
        Type: z.enum(['ALL_AT_ONCE', 'CANARY', 'LINEAR']),
        WaitIntervalInSeconds: WaitSeconds,
        CanarySize: z.unknown().optional(),
        LinearStepSize: z.unknown().optional(),
      }),
      TerminationWaitInSeconds: WaitSeconds.optional(),
      MaximumExecutionTimeoutInSeconds: z.int().min(600).max(28_800).optional(),
    })
    .optional(),
  RollingUpdatePolicy: z.unknown().optional(),
  AutoRollbackConfiguration: z
    .strictObject({
      Alarms: z
        .array(z.strictObject({ AlarmName: z.string().min(1).max(255) }))
        .min(1)
        .max(10),
    })
    .optional(),
});
export type DeploymentConfig = z.infer<typeof DeploymentConfig>;
