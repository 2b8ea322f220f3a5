import {
  ApplicationAutoScalingClient,
  DeregisterScalableTargetCommand,
  DescribeScalableTargetsCommand,
  DescribeScalingPoliciesCommand,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAutoscaling } from '../../application-autoscaling/service.ts';
import { localGateway } from '../support/local-gateway.ts';
import { manualClock } from '../support/manual-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const target = {
  ServiceNamespace: 'sagemaker',
  ResourceId: 'endpoint/e/variant/AllTraffic',
  ScalableDimension: 'sagemaker:variant:DesiredInstanceCount',
} as const;
const policy = {
  ...target,
  PolicyName: 'invocations',
  PolicyType: 'TargetTrackingScaling',
  TargetTrackingScalingPolicyConfiguration: {
    TargetValue: 70,
    PredefinedMetricSpecification: {
      PredefinedMetricType: 'SageMakerVariantInvocationsPerInstance',
    },
  },
} as const;

const copies = { desired: () => undefined, unusedMs: () => 0, set: () => undefined };
const alarms = { isRinging: () => false };

let gateway: Awaited<ReturnType<typeof localGateway>>;
let client: ApplicationAutoScalingClient;
beforeEach(async () => {
  const dir = temporaryFolder('autoscaling-');
  gateway = await localGateway((site) => [
    createAutoscaling({ dir, site, clock: manualClock(), copies, alarms }).service,
  ]);
  client = new ApplicationAutoScalingClient(gateway.client);
});
afterEach(() => gateway.close());

const register = (MinCapacity: number, MaxCapacity: number) =>
  client.send(new RegisterScalableTargetCommand({ ...target, MinCapacity, MaxCapacity }));
const targets = async () =>
  (await client.send(new DescribeScalableTargetsCommand({ ServiceNamespace: 'sagemaker' }))).ScalableTargets;
const policies = async () =>
  (await client.send(new DescribeScalingPoliciesCommand({ ServiceNamespace: 'sagemaker' }))).ScalingPolicies;

test('a target is registered, changed and described', async () => {
  await register(1, 4);
  await client.send(new RegisterScalableTargetCommand({ ...target, MaxCapacity: 8 }));
  expect(await targets()).toMatchObject([{ ...target, MinCapacity: 1, MaxCapacity: 8 }]);
});

test('a maximum under the minimum is refused', async () => {
  await expect(register(2, 1)).rejects.toMatchObject({ name: 'ValidationException' });
});

test('a policy is recorded as it was put', async () => {
  await register(1, 4);
  const { PolicyARN } = await client.send(new PutScalingPolicyCommand(policy));
  expect(PolicyARN).toContain(':resource/sagemaker/endpoint/e/variant/AllTraffic:policyName/invocations');
  expect(await policies()).toMatchObject([policy]);
});

test('a policy of a target that is not registered is refused', async () => {
  await expect(client.send(new PutScalingPolicyCommand(policy))).rejects.toMatchObject({
    name: 'ObjectNotFoundException',
  });
});

test('a deregistered target takes its policies with it', async () => {
  await register(1, 4);
  await client.send(new PutScalingPolicyCommand(policy));
  await client.send(new DeregisterScalableTargetCommand(target));
  expect([await targets(), await policies()]).toEqual([[], []]);
});
