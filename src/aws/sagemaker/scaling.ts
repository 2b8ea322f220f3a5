import {
  ApplicationAutoScalingClient,
  DeregisterScalableTargetCommand,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { isNamed, withErrorNames } from '../calls/aws-error.ts';

/** Bounds of a production variant's number of instances, and the target that decides between them. */
export interface ScalingSpec {
  readonly minInstances: number;
  readonly maxInstances: number;
  /** Invocations per minute and instance. */
  readonly invocationsPerInstance: number;
}

/** Application Auto Scaling of production variants. */
export interface Scaling {
  /** Repeating it with the same numbers changes nothing. */
  register(endpointName: string, variantName: string, spec: ScalingSpec): Promise<void>;
  /** Removes the policy too; a variant that is not registered is left as it is. */
  deregister(endpointName: string, variantName: string): Promise<void>;
}

const NAMESPACE = 'sagemaker';
const DIMENSION = 'sagemaker:variant:DesiredInstanceCount';

let client: ApplicationAutoScalingClient | undefined;

/** Application Auto Scaling of the account and region that the environment names; the client is built on first use. */
export function scaling(): Scaling {
  const open = (): ApplicationAutoScalingClient => (client ??= new ApplicationAutoScalingClient());
  return {
    async register(endpointName, variantName, { minInstances, maxInstances, invocationsPerInstance }) {
      const target = toTarget(endpointName, variantName);
      await withErrorNames(
        open().send(
          new RegisterScalableTargetCommand({
            ...target,
            MinCapacity: minInstances,
            MaxCapacity: maxInstances,
          }),
        ),
      );
      await withErrorNames(
        open().send(
          new PutScalingPolicyCommand({
            ...target,
            PolicyName: 'invocations-per-instance',
            PolicyType: 'TargetTrackingScaling',
            TargetTrackingScalingPolicyConfiguration: {
              TargetValue: invocationsPerInstance,
              PredefinedMetricSpecification: {
                PredefinedMetricType: 'SageMakerVariantInvocationsPerInstance',
              },
              // A new instance takes minutes to load its model; too few instances cost more than too many.
              ScaleOutCooldown: 60,
              ScaleInCooldown: 300,
            },
          }),
        ),
      );
    },
    async deregister(endpointName, variantName) {
      try {
        await withErrorNames(
          open().send(new DeregisterScalableTargetCommand(toTarget(endpointName, variantName))),
        );
      } catch (error) {
        if (!isNamed(error, 'ObjectNotFoundException')) throw error;
      }
    },
  };
}

function toTarget(endpointName: string, variantName: string) {
  return {
    ServiceNamespace: NAMESPACE,
    ResourceId: `endpoint/${endpointName}/variant/${variantName}`,
    ScalableDimension: DIMENSION,
  } as const;
}
