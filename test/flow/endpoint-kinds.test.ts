import {
  ApplicationAutoScalingClient,
  DescribeScalableTargetsCommand,
  DescribeScalingPoliciesCommand,
} from '@aws-sdk/client-application-auto-scaling';
import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  GetMetricStatisticsCommand,
} from '@aws-sdk/client-cloudwatch';
import {
  ListInferenceComponentsCommand,
  SageMakerClient,
  UpdateInferenceComponentRuntimeConfigCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AwsError } from '../../packages/laptop/kernel/aws-error.ts';
import { type EndpointLaptop, startEndpointLaptop, writeWrongModel } from '../support/endpoint-laptop.ts';

const HOUR = 3_600_000;
const NAMESPACE = { ServiceNamespace: 'sagemaker' } as const;

let laptop: EndpointLaptop;
/** How many variants may be scaled each time that a candidate is asked. */
let whileTested: (() => Promise<void>) | undefined;
let isDown = false;
beforeAll(async () => {
  const invocation = async (endpointName: string): Promise<void> => {
    if (isDown) throw new AwsError('ServiceUnavailable', 'SageMaker is down', { statusCode: 503 });
    if (endpointName.includes('-candidate-')) await whileTested?.();
  };
  laptop = await startEndpointLaptop({ faults: { invocation } });
});
afterAll(() => laptop.close());

/** Who is scaled, within which numbers, by which policy. */
async function scaled() {
  const client = new ApplicationAutoScalingClient();
  const { ScalableTargets = [] } = await client.send(new DescribeScalableTargetsCommand(NAMESPACE));
  const { ScalingPolicies = [] } = await client.send(new DescribeScalingPoliciesCommand(NAMESPACE));
  return ScalableTargets.map(({ ResourceId, MinCapacity, MaxCapacity }) => ({
    variant: ResourceId!.split('/').at(-1),
    range: [MinCapacity, MaxCapacity],
    perInstance: ScalingPolicies.filter((policy) => policy.ResourceId === ResourceId).map(
      (policy) => policy.TargetTrackingScalingPolicyConfiguration?.TargetValue,
    ),
  }));
}
const planned = (drop: string, endpoint: object) =>
  laptop.planLike(drop, (plan) => {
    plan.model.environment = { RELEASE: drop };
    Object.assign(plan.endpoint, endpoint);
    if (plan.endpoint.type === 'serverless') plan.model.networkIsolation = false;
  });
const autoscaling = { minInstances: 1, maxInstances: 3, invocationsPerInstance: 100 };

it('an endpoint of instances is scaled by its invocations', async () => {
  const run = await planned('scaled', { autoscaling });
  expect(await laptop.change({ run })).toMatchObject({ status: 'SUCCEEDED' });
  const { live } = (await laptop.served())!;
  expect(await scaled()).toEqual([{ variant: live, range: [1, 3], perInstance: [100] }]);
});

it('is scaled while its next model is tested, and then the next model is, by its own numbers', async () => {
  const before = await scaled();
  const meanwhile: unknown[] = [];
  whileTested = async () => void meanwhile.push(await scaled());
  const run = await planned('wider', { autoscaling: { ...autoscaling, maxInstances: 5 } });
  expect(await laptop.change({ run })).toMatchObject({ status: 'SUCCEEDED' });
  whileTested = undefined;
  expect(meanwhile.length).toBeGreaterThan(0);
  for (const seen of meanwhile) expect(seen).toEqual(before);
  const { live } = (await laptop.served())!;
  expect(await scaled()).toEqual([{ variant: live, range: [1, 5], perInstance: [100] }]);
});

const serverless = { memorySizeInMB: 2048, maxConcurrency: 4 };
const asServerless = { type: 'serverless', ...serverless, autoscaling: null, hourlyUsd: null };
const instance = { type: 'instance', autoscaling: null };
const gone = async () => {
  expect(await laptop.change({ action: 'delete', reason: 'another kind' })).toMatchObject({
    status: 'SUCCEEDED',
  });
};

it('does not become serverless while it has instances, which SageMaker refuses', async () => {
  const before = await laptop.served();
  const ended = await laptop.change({ run: await planned('too-early', asServerless) });
  expect(ended.status).toBe('FAILED');
  expect(ended.cause).toContain('EndpointKindDiffers');
  expect(await laptop.served()).toEqual(before);
  expect((await laptop.messages()).join('\n')).toContain('inferdrop endpoints delete clothes');
  expect((await laptop.predict()).status).toBe(200);
});

it('deleted before, it becomes serverless, and its next model is tested on a serverless candidate', async () => {
  await gone();
  expect(await laptop.change({ run: await planned('serverless', asServerless) })).toMatchObject({
    status: 'SUCCEEDED',
  });
  const hardware: unknown[] = [];
  whileTested = async () => {
    const { endpoints, endpointPrefix } = laptop.application;
    for await (const name of endpoints.names(`${endpointPrefix}-clothes-candidate-`)) {
      const found = await endpoints.describe(name);
      const config = await endpoints.describeConfig(found!.configName);
      hardware.push(...config!.variants.map((variant) => variant.hardware));
    }
  };
  const next = await laptop.change({ run: await planned('serverless-next', asServerless) });
  expect(next).toMatchObject({ status: 'SUCCEEDED' });
  whileTested = undefined;
  expect(hardware[0]).toEqual({ kind: 'serverless', ...serverless });
  expect(await scaled()).toEqual([]);
  const found = (await laptop.served())!;
  expect(found).toMatchObject({ hourlyUsd: null, idleHours: null, autoscaling: null });
  expect((await laptop.predict()).status).toBe(200);
});

/** Takes the copies of a component away; the first answer without predictions. */
async function putToSleep(InferenceComponentName: string): Promise<Response> {
  await new SageMakerClient().send(
    new UpdateInferenceComponentRuntimeConfigCommand({
      InferenceComponentName,
      DesiredRuntimeConfig: { CopyCount: 0 },
    }),
  );
  return laptop.until(async () => {
    const response = await laptop.predict();
    return response.status === 200 ? undefined : response;
  });
}

it('deleted before, it scales to zero: it sleeps, a request wakes it, its next model comes up beside it', async () => {
  await gone();
  const scaleToZero = { ...instance, scaleToZero: true, initialInstanceCount: 1 };
  expect(await laptop.change({ run: await planned('zero', scaleToZero) })).toMatchObject({
    status: 'SUCCEEDED',
  });
  const first = (await laptop.served())!;
  expect(first).toMatchObject({ hourlyUsd: 0, maxHourlyUsd: expect.any(Number), idleHours: null });
  const { live } = first;
  expect(first.variants[live!]).toMatchObject({ component: live });
  expect((await laptop.predict()).status).toBe(200);
  const client = new SageMakerClient();
  const asleep = await putToSleep(live!);
  expect(asleep.status).toBe(503);
  expect(asleep.headers.get('retry-after')).toBe('60');
  expect(await asleep.json()).toMatchObject({ detail: expect.stringContaining('asleep') });
  await laptop.until(async () => (await laptop.predict()).status === 200 || undefined);
  const resources = (await scaled()).map(({ variant, range }) => ({ variant, range }));
  expect(resources).toEqual([{ variant: live, range: [0, 1] }]);
  const { ScalingPolicies = [] } = await new ApplicationAutoScalingClient().send(
    new DescribeScalingPoliciesCommand(NAMESPACE),
  );
  expect(ScalingPolicies.map((one) => one.StepScalingPolicyConfiguration?.AdjustmentType)).toContain(
    'ExactCapacity',
  );

  const next = await laptop.change({ run: await planned('zero-next', scaleToZero) });
  expect(next).toMatchObject({ status: 'SUCCEEDED' });
  const second = (await laptop.served())!;
  expect(second.live).not.toBe(live);
  expect(Object.keys(second.variants)).toEqual([second.live]);
  expect((await laptop.predict()).status).toBe(200);
  const { InferenceComponents } = await client.send(new ListInferenceComponentsCommand({}));
  expect(InferenceComponents!.map((one) => one.InferenceComponentName)).toEqual([second.live]);

  const wrong = await writeWrongModel(laptop);
  const run = await laptop.planLike('zero-wrong', (plan) => {
    plan.model.sha256 = wrong;
    Object.assign(plan.endpoint, scaleToZero);
  });
  expect(await laptop.change({ run })).toMatchObject({ status: 'FAILED' });
  expect(await laptop.served()).toMatchObject({ live: second.live });
  expect((await laptop.predict()).status).toBe(200);
});

it('callers of a sleeping endpoint ring no alarm of the API, and as many real failures do', async () => {
  const cloudwatch = new CloudWatchClient();
  const AlarmNames = ['inferdrop-dev-api-errors'];
  const state = async () => {
    const { MetricAlarms } = await cloudwatch.send(new DescribeAlarmsCommand({ AlarmNames }));
    return MetricAlarms![0]!.StateValue;
  };
  const plannedWaits = async () => {
    const { Datapoints = [] } = await cloudwatch.send(
      new GetMetricStatisticsCommand({
        Namespace: 'inferdrop/dev',
        MetricName: 'PlannedWaits',
        StartTime: new Date(Date.now() - HOUR),
        EndTime: new Date(Date.now() + HOUR),
        Period: 3600,
        Statistics: ['Sum'],
      }),
    );
    return Datapoints.reduce((sum, { Sum = 0 }) => sum + Sum, 0);
  };
  const ask = async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => laptop.predict()));
    return answers.map(({ status }) => status);
  };
  const live = (await laptop.served())!.live!;
  // Without the alarm that wakes it.
  await cloudwatch.send(new DeleteAlarmsCommand({ AlarmNames: [`${live}-asleep`] }));
  await putToSleep(live);
  const before = await plannedWaits();
  expect(await ask()).toEqual(Array.from({ length: 12 }, () => 503));
  await laptop.until(async () => (await plannedWaits()) >= before + 12 || undefined);
  expect(await state()).toBe('OK');

  isDown = true;
  await laptop.until(async () => {
    expect(await ask()).toEqual(Array.from({ length: 12 }, () => 503));
    return (await state()) === 'ALARM' || undefined;
  });
  isDown = false;
});

it('deleted, it becomes one of instances again; an accelerator that AWS refuses changes nothing', async () => {
  await gone();
  expect(await scaled()).toEqual([]);
  const run = await planned('again', { scaleToZero: false, autoscaling, idleHours: 2 });
  expect(await laptop.change({ run })).toMatchObject({ status: 'SUCCEEDED' });
  const before = await laptop.served();
  const retired = await planned('retired', { acceleratorType: 'ml.eia2.medium' });
  const ended = await laptop.change({ run: retired });
  expect(ended.status).toBe('FAILED');
  expect(ended.cause).toContain('Elastic Inference is no longer available');
  expect(await laptop.served()).toEqual(before);
  expect((await laptop.predict()).status).toBe(200);
});

it('that is no longer invoked is announced, then deleted, and nothing of its scaling is left', async () => {
  const found = (await laptop.served())!;
  const now = Date.now();
  expect(await laptop.sweepAt(now + 0.5 * HOUR)).toMatchObject({ endpoints: 1, warned: 0 });
  expect(await laptop.sweepAt(now + 1.9 * HOUR)).toMatchObject({ warned: 1, deleted: 0 });
  expect(await laptop.sweepAt(now + 2.5 * HOUR)).toMatchObject({ warned: 0, deleted: 1 });
  const { endpoints } = laptop.application;
  await laptop.until(async () => (await endpoints.describe(found.endpointName)) === undefined || undefined);
  await laptop.until(async () => (await laptop.served()) === undefined || undefined);
  expect(await scaled()).toEqual([]);
  const reported = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('it had not been invoked for 2 hours')),
  );
  expect(reported).toContain('is deleted');
  expect((await laptop.messages()).join('\n')).toContain('It has not been invoked for nearly 2 hours');
});
