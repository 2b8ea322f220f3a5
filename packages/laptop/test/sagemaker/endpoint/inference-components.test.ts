import {
  ApplicationAutoScalingClient,
  PutScalingPolicyCommand,
  RegisterScalableTargetCommand,
} from '@aws-sdk/client-application-auto-scaling';
import { CloudWatchClient, PutMetricAlarmCommand } from '@aws-sdk/client-cloudwatch';
import {
  CreateEndpointConfigCommand,
  type CreateEndpointConfigCommandInput,
  CreateInferenceComponentCommand,
  DeleteEndpointCommand,
  DeleteInferenceComponentCommand,
  DescribeInferenceComponentCommand,
  ListInferenceComponentsCommand,
  ListTagsCommand,
  UpdateInferenceComponentRuntimeConfigCommand,
} from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import { createAutoscaling } from '../../../application-autoscaling/service.ts';
import { createCloudWatch } from '../../../cloudwatch/service.ts';
import { AccountLimits } from '../../../service-quotas/account-limits.ts';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

const ROLE = 'arn:aws:iam::000000000000:role/sagemaker';
const MINUTE = 60_000;
const NO_CAPACITY = {
  name: 'ValidationError',
  message: expect.stringContaining('Inference Component has no capacity to process this request.'),
  $metadata: { httpStatusCode: 400 },
};
const TARGET = {
  ServiceNamespace: 'sagemaker',
  ResourceId: 'inference-component/one',
  ScalableDimension: 'sagemaker:inference-component:DesiredCopyCount',
} as const;

let local: LocalEndpoints;
afterEach(() => local.close());

async function start(options: Parameters<typeof localEndpoints>[0] = {}): Promise<void> {
  local = await localEndpoints({
    ...options,
    beside({ site, clock, dir, components }) {
      const cloudwatch = createCloudWatch({ dir: `${dir}/cloudwatch`, site, clock });
      const { alarmActions: alarms, metrics } = cloudwatch;
      const scaling = createAutoscaling({ dir: `${dir}/scaling`, site, clock, copies: components, alarms });
      return { services: [cloudwatch.service, scaling.service], metrics };
    },
  });
}

const config = (more: Partial<CreateEndpointConfigCommandInput> = {}, variant: object = {}) =>
  local.client.send(
    new CreateEndpointConfigCommand({
      EndpointConfigName: 'host',
      ExecutionRoleArn: ROLE,
      ProductionVariants: [
        {
          VariantName: 'AllTraffic',
          InstanceType: 'ml.m5.xlarge',
          InitialInstanceCount: 1,
          ManagedInstanceScaling: { Status: 'ENABLED', MinInstanceCount: 0, MaxInstanceCount: 2 },
          ...variant,
        },
      ],
      ...more,
    }),
  );
const component = (InferenceComponentName: string, CopyCount = 1, EndpointName = 'endpoint') =>
  local.client.send(
    new CreateInferenceComponentCommand({
      InferenceComponentName,
      EndpointName,
      VariantName: 'AllTraffic',
      Specification: {
        ModelName: 'model',
        StartupParameters: { ContainerStartupHealthCheckTimeoutInSeconds: 60 },
        ComputeResourceRequirements: { NumberOfCpuCoresRequired: 1, MinMemoryRequiredInMb: 1024 },
      },
      RuntimeConfig: { CopyCount },
      Tags: [{ Key: 'owner', Value: 'me' }],
    }),
  );
const describe = (InferenceComponentName = 'one') =>
  local.client.send(new DescribeInferenceComponentCommand({ InferenceComponentName }));
const ask = (InferenceComponentName = 'one') => local.invoke('{}', { InferenceComponentName });
const instances = async () => (await local.describe()).ProductionVariants![0]!.CurrentInstanceCount;
const setCopies = async (CopyCount: number) => {
  await local.client.send(
    new UpdateInferenceComponentRuntimeConfigCommand({
      InferenceComponentName: 'one',
      DesiredRuntimeConfig: { CopyCount },
    }),
  );
  await local.idle();
};

/** An endpoint that hosts one component with one copy. */
async function host(): Promise<void> {
  await local.makeModel('model');
  await config();
  await local.create('host');
  await local.idle();
  await component('one');
  await local.idle();
}

test('an endpoint without a model hosts a component, which answers by its name alone', async () => {
  await start();
  await host();
  expect(await describe()).toMatchObject({
    InferenceComponentStatus: 'InService',
    RuntimeConfig: { DesiredCopyCount: 1, CurrentCopyCount: 1 },
    Specification: { ModelName: 'model' },
  });
  expect(await ask()).toMatchObject({ text: '0', InvokedProductionVariant: 'AllTraffic' });
  await expect(local.invoke()).rejects.toMatchObject({
    name: 'ValidationError',
    message: expect.stringContaining('Inference Component Name header is required'),
  });
  await expect(ask('two')).rejects.toMatchObject({ name: 'ValidationError' });
  expect(local.measured.at(0)).toMatchObject({
    dimensions: { InferenceComponentName: 'one' },
    values: { Invocations: 1, InvocationsPerCopy: 1 },
  });
  const { InferenceComponentArn: ResourceArn } = await describe();
  const { Tags } = await local.client.send(new ListTagsCommand({ ResourceArn }));
  expect(Tags).toEqual([{ Key: 'owner', Value: 'me' }]);
});

test('without copies it refuses and counts the refusal; its instances go ten minutes later', async () => {
  await start();
  await host();
  await setCopies(0);
  expect(await instances()).toBe(1);
  await expect(ask()).rejects.toMatchObject(NO_CAPACITY);
  expect(local.measured.at(-1)).toEqual({
    dimensions: { InferenceComponentName: 'one' },
    values: { NoCapacityInvocationFailures: 1 },
  });
  await local.clock.advance(10 * MINUTE);
  expect(await instances()).toBe(0);
  await setCopies(1);
  expect([await instances(), (await ask()).text]).toEqual([1, '1']);
});

/** A step policy, and the alarm that calls for it. */
async function wakeBy(AdjustmentType: 'ChangeInCapacity' | 'ExactCapacity', Cooldown: number): Promise<void> {
  const { PolicyARN } = await new ApplicationAutoScalingClient(local.clientOptions).send(
    new PutScalingPolicyCommand({
      ...TARGET,
      PolicyName: 'wake',
      PolicyType: 'StepScaling',
      StepScalingPolicyConfiguration: {
        AdjustmentType,
        Cooldown,
        StepAdjustments: [{ MetricIntervalLowerBound: 0, ScalingAdjustment: 1 }],
      },
    }),
  );
  await new CloudWatchClient(local.clientOptions).send(
    new PutMetricAlarmCommand({
      AlarmName: 'wake',
      AlarmActions: [PolicyARN!],
      Namespace: 'AWS/SageMaker',
      MetricName: 'NoCapacityInvocationFailures',
      Dimensions: [{ Name: 'InferenceComponentName', Value: 'one' }],
      Statistic: 'Sum',
      Period: 60,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    }),
  );
}

test.each([
  ['ChangeInCapacity', 2],
  ['ExactCapacity', 1],
] as const)('while its alarm rings, a policy of %s brings up %i', async (adjustment, woken) => {
  await start();
  await host();
  const scaling = new ApplicationAutoScalingClient(local.clientOptions);
  await scaling.send(new RegisterScalableTargetCommand({ ...TARGET, MinCapacity: 0, MaxCapacity: 2 }));
  await wakeBy(adjustment, 0);
  await setCopies(0);
  await expect(ask()).rejects.toMatchObject(NO_CAPACITY);
  for (let look = 0; look < 3; look++) {
    await local.clock.advance(5_000);
    await local.idle();
  }
  expect((await describe()).RuntimeConfig).toEqual({ DesiredCopyCount: woken, CurrentCopyCount: woken });
});

test('a step policy wakes it by its alarm, and target tracking puts it to sleep unused', async () => {
  await start();
  await host();
  const scaling = new ApplicationAutoScalingClient(local.clientOptions);
  await scaling.send(new RegisterScalableTargetCommand({ ...TARGET, MinCapacity: 0, MaxCapacity: 1 }));
  await scaling.send(
    new PutScalingPolicyCommand({
      ...TARGET,
      PolicyName: 'sleep',
      PolicyType: 'TargetTrackingScaling',
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: 100,
        PredefinedMetricSpecification: {
          PredefinedMetricType: 'SageMakerInferenceComponentInvocationsPerCopy',
        },
      },
    }),
  );
  await wakeBy('ExactCapacity', 60);
  await local.clock.advance(14 * MINUTE);
  expect((await ask()).text).toBe('0');
  await local.clock.advance(14 * MINUTE);
  expect((await describe()).RuntimeConfig).toMatchObject({ CurrentCopyCount: 1 });
  await local.clock.advance(2 * MINUTE);
  await local.idle();
  expect((await describe()).RuntimeConfig).toMatchObject({ DesiredCopyCount: 0, CurrentCopyCount: 0 });
  // Nobody asks: it sleeps on.
  await local.clock.advance(30 * MINUTE);
  await expect(ask()).rejects.toMatchObject(NO_CAPACITY);
  await local.clock.advance(10_000);
  await local.idle();
  expect((await ask()).text).toBe('1');
});

test('a copy that never gets healthy fails the component, which can be deleted', async () => {
  await start({ get: () => ({ status: 503 }) });
  await local.makeModel('model');
  await config();
  await local.create('host');
  await local.idle();
  await component('one');
  await local.advanceUntil(async () => (await describe()).InferenceComponentStatus !== 'Creating');
  expect(await describe()).toMatchObject({
    InferenceComponentStatus: 'Failed',
    FailureReason: expect.stringContaining('did not pass the ping health check'),
  });
  await local.client.send(new DeleteInferenceComponentCommand({ InferenceComponentName: 'one' }));
  await local.idle();
  await expect(describe()).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('Could not find inference component'),
  });
});

test('more copies than instances, or than the quota has, fail a new component and leave an old one', async () => {
  await start({ limits: AccountLimits.parse({ endpointInstances: { 'ml.m5.xlarge': 1 } }) });
  await host();
  await component('two');
  await local.idle();
  const noRoom = expect.stringContaining('There is not enough hardware resources on the instances');
  expect(await describe('two')).toMatchObject({ InferenceComponentStatus: 'Failed', FailureReason: noRoom });
  await setCopies(3);
  expect(await describe()).toMatchObject({
    InferenceComponentStatus: 'InService',
    FailureReason: noRoom,
    RuntimeConfig: { DesiredCopyCount: 1, CurrentCopyCount: 1 },
  });
  expect((await ask()).text).toBe('0');
});

test('components come before their endpoint in a deletion, and none goes while it is on its way', async () => {
  await start({ get: () => ({ status: 503 }) });
  await local.makeModel('model');
  await config();
  await local.create('host');
  await local.idle();
  await component('one');
  const remove = () =>
    local.client.send(new DeleteInferenceComponentCommand({ InferenceComponentName: 'one' }));
  await expect(remove()).rejects.toMatchObject({ message: expect.stringContaining('CREATE_IN_PROGRESS') });
  await local.advanceUntil(async () => (await describe()).InferenceComponentStatus === 'Failed');
  const removeEndpoint = () => local.client.send(new DeleteEndpointCommand({ EndpointName: 'endpoint' }));
  await expect(removeEndpoint()).rejects.toMatchObject({ message: expect.stringContaining('one') });
  await remove();
  await local.advanceUntil(
    async () =>
      (await local.client.send(new ListInferenceComponentsCommand({ EndpointNameEquals: 'endpoint' })))
        .InferenceComponents!.length === 0,
  );
  await removeEndpoint();
  await local.idle();
  await expect(local.describe()).rejects.toThrow('Could not find endpoint');
});

test('a component wants an endpoint without a model, its own name, and a variant that is there', async () => {
  await start();
  await local.makeModel('model');
  await local.makeConfig('plain');
  await local.create('plain', 'plain');
  await local.idle();
  await expect(component('one', 1, 'plain')).rejects.toThrow(
    'Inference Components are not supported in this Endpoint',
  );
  await expect(component('one', 1, 'missing')).rejects.toThrow('Could not find endpoint');
  await expect(component('one', 0, 'plain')).rejects.toThrow('larger than 0');
  await expect(
    local.invoke('{}', { EndpointName: 'plain', InferenceComponentName: 'one' }),
  ).rejects.toMatchObject({
    name: 'ValidationError',
  });
});

test.each([
  [{ ExecutionRoleArn: undefined }, {}, 'ExecutionRoleArn is required'],
  [{}, { ManagedInstanceScaling: undefined }, 'must have ManagedInstanceScaling ENABLED'],
  [{}, { InitialInstanceCount: 3 }, 'must be within ManagedInstanceScaling, 0..2, is 3'],
  [
    { EnableNetworkIsolation: true },
    { ModelName: 'model', ManagedInstanceScaling: undefined },
    'is for endpoints that host',
  ],
  [{}, { ModelName: 'model' }, 'which has a model, is not emulated'],
])(
  'a configuration that AWS or this stack does not take is refused: %j %j',
  async (more, variant, message) => {
    await start();
    await local.makeModel('model');
    await expect(config(more as object, variant)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining(message),
    });
  },
);
