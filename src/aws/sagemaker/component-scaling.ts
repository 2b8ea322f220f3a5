import {
  ApplicationAutoScalingClient,
  DeregisterScalableTargetCommand,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { CloudWatchClient, DeleteAlarmsCommand, PutMetricAlarmCommand } from '@aws-sdk/client-cloudwatch';
import { required } from '../calls/answer.ts';
import { unlessGone, withErrorNames } from '../calls/aws-error.ts';

/** Scaling of inference components between none and some copies. */
export interface ComponentScaling {
  /** Repeating it with the same number changes nothing. */
  register(componentName: string, maxCopies: number): Promise<void>;
  /** Removes policies and alarm too; a component that is not registered is left as it is. */
  deregister(componentName: string): Promise<void>;
}

/** Invocations a minute that a copy answers before another is added. */
const INVOCATIONS_PER_COPY = 600;

let scalingClient: ApplicationAutoScalingClient | undefined;
let alarmClient: CloudWatchClient | undefined;

/** Application Auto Scaling and CloudWatch of the account and region that the environment names; clients are built on first use. */
export function componentScaling(): ComponentScaling {
  const scaling = (): ApplicationAutoScalingClient => (scalingClient ??= new ApplicationAutoScalingClient());
  const alarms = (): CloudWatchClient => (alarmClient ??= new CloudWatchClient());
  return {
    async register(componentName, maxCopies) {
      const target = toTarget(componentName);
      await withErrorNames(
        scaling().send(
          new RegisterScalableTargetCommand({ ...target, MinCapacity: 0, MaxCapacity: maxCopies }),
        ),
      );
      // Its own alarm removes the last copy after 15 minutes without a request. It cannot leave zero: no copies, no invocations of each.
      await withErrorNames(
        scaling().send(
          new PutScalingPolicyCommand({
            ...target,
            PolicyName: 'sleep',
            PolicyType: 'TargetTrackingScaling',
            TargetTrackingScalingPolicyConfiguration: {
              TargetValue: INVOCATIONS_PER_COPY,
              PredefinedMetricSpecification: {
                PredefinedMetricType: 'SageMakerInferenceComponentInvocationsPerCopy',
              },
              ScaleOutCooldown: 60,
              ScaleInCooldown: 300,
            },
          }),
        ),
      );
      const { PolicyARN } = await withErrorNames(
        scaling().send(
          new PutScalingPolicyCommand({
            ...target,
            PolicyName: 'wake',
            PolicyType: 'StepScaling',
            // Its alarm rings for as long as callers ask a component without a copy, which is minutes: never more than the
            // first one is added.
            StepScalingPolicyConfiguration: {
              AdjustmentType: 'ExactCapacity',
              MetricAggregationType: 'Maximum',
              Cooldown: 60,
              StepAdjustments: [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 1 }],
            },
          }),
        ),
      );
      await withErrorNames(
        alarms().send(
          new PutMetricAlarmCommand({
            AlarmName: toAlarm(componentName),
            AlarmDescription: 'A request found no copy of the model: one is started. This is no failure.',
            AlarmActions: [required(PolicyARN, 'PolicyARN')],
            Namespace: 'AWS/SageMaker',
            MetricName: 'NoCapacityInvocationFailures',
            Dimensions: [{ Name: 'InferenceComponentName', Value: componentName }],
            Statistic: 'Sum',
            Period: 60,
            EvaluationPeriods: 1,
            DatapointsToAlarm: 1,
            // The developer guide's example compares with "greater than", so that a single request would wake nothing.
            Threshold: 1,
            ComparisonOperator: 'GreaterThanOrEqualToThreshold',
            TreatMissingData: 'notBreaching',
          }),
        ),
      );
    },
    async deregister(componentName) {
      await unlessGone(alarms().send(new DeleteAlarmsCommand({ AlarmNames: [toAlarm(componentName)] })));
      await unlessGone(scaling().send(new DeregisterScalableTargetCommand(toTarget(componentName))));
    },
  };
}

function toTarget(componentName: string) {
  return {
    ServiceNamespace: 'sagemaker',
    ResourceId: `inference-component/${componentName}`,
    ScalableDimension: 'sagemaker:inference-component:DesiredCopyCount',
  } as const;
}

function toAlarm(componentName: string): string {
  return `${componentName}-asleep`;
}
