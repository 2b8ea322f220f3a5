import { UpdateEndpointCommand } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { type LocalEndpoints, localEndpoints } from './local-endpoints.ts';

let stack: LocalEndpoints;
afterEach(() => stack.close());

const watched = {
  BlueGreenUpdatePolicy: {
    TrafficRoutingConfiguration: { Type: 'ALL_AT_ONCE' as const, WaitIntervalInSeconds: 300 },
    TerminationWaitInSeconds: 60,
  },
};

test('an update brings new containers and stops the old ones', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await stack.makeConfig('second');
  expect(await stack.update('second')).toMatchObject({
    EndpointStatus: 'InService',
    EndpointConfigName: 'second',
  });
  expect((await stack.invoke()).text).toBe('1');
  expect(stack.running()).toBe(1);
  expect(stack.events.map(({ detail }) => detail['EndpointStatus'])).toEqual([
    'CREATING',
    'IN_SERVICE',
    'UPDATING',
    'IN_SERVICE',
  ]);
});

test('the old containers answer until the new ones are healthy', async () => {
  let healthy = true;
  stack = await localEndpoints({ get: () => ({ status: healthy ? 200 : 503 }) });
  await stack.deploy();
  healthy = false;
  await stack.makeConfig('second');
  await stack.client.send(
    new UpdateEndpointCommand({ EndpointName: 'endpoint', EndpointConfigName: 'second' }),
  );
  await until(() => stack.specs.length === 2);
  expect(await stack.describe()).toMatchObject({
    EndpointStatus: 'Updating',
    EndpointConfigName: 'config',
    PendingDeploymentSummary: { EndpointConfigName: 'second' },
  });
  expect((await stack.invoke()).text).toBe('0');
  healthy = true;
  await stack.advanceUntil(async () => (await stack.describe()).EndpointStatus === 'InService');
  expect((await stack.invoke()).text).toBe('1');
});

test('a new container that fails its ping is rolled back, with the reason; the old one goes on', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await stack.makeConfig('second');
  stack.breakNext();
  expect(await stack.update('second')).toMatchObject({
    EndpointStatus: 'InService',
    EndpointConfigName: 'config',
    FailureReason: expect.stringContaining('did not pass the ping health check'),
  });
  expect((await stack.invoke()).text).toBe('0');
  expect(stack.events.slice(-3).map(({ detail }) => detail['EndpointStatus'])).toEqual([
    'UPDATING',
    'ROLLING_BACK',
    'IN_SERVICE',
  ]);
});

test('a container that is never healthy is given up after its start-up time', async () => {
  let healthy = true;
  stack = await localEndpoints({ get: () => ({ status: healthy ? 200 : 503 }) });
  await stack.deploy();
  healthy = false;
  await stack.makeConfig('second', { ContainerStartupHealthCheckTimeoutInSeconds: 60 });
  await stack.client.send(
    new UpdateEndpointCommand({ EndpointName: 'endpoint', EndpointConfigName: 'second' }),
  );
  await stack.advanceUntil(async () => (await stack.describe()).EndpointStatus === 'InService');
  expect((await stack.describe()).FailureReason).toContain('no ping passed within 60 seconds');
});

test('no request fails while an endpoint is updated under load', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await stack.makeConfig('second');
  let over = false;
  const answers: string[] = [];
  const caller = async (): Promise<void> => {
    while (!over) answers.push((await stack.invoke()).text);
  };
  const callers = Array.from({ length: 8 }, caller);
  await until(() => answers.length > 20);
  await stack.update('second');
  const after = answers.length;
  await until(() => answers.length > after + 20);
  over = true;
  await Promise.all(callers);
  expect(new Set(answers)).toEqual(new Set(['0', '1']));
});

test('a request under way at the switch is answered by the old container before that stops', async () => {
  const held = Promise.withResolvers<void>();
  stack = await localEndpoints({
    answer: async ({ container, body }) => {
      if (body === 'slow') await held.promise;
      return String(container);
    },
  });
  await stack.deploy();
  await stack.makeConfig('second');
  const slow = stack.invoke('slow');
  await until(() => stack.invocations.length === 1);
  const updated = stack.update('second');
  await until(async () => (await stack.invoke()).text === '1');
  held.resolve();
  expect((await slow).text).toBe('0');
  await updated;
});

test('the new fleet is watched with all traffic, and the old one waits for as long as it was asked', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await stack.makeConfig('second');
  await stack.client.send(
    new UpdateEndpointCommand({
      EndpointName: 'endpoint',
      EndpointConfigName: 'second',
      DeploymentConfig: watched,
    }),
  );
  await until(async () => (await stack.invoke()).text === '1');
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'Updating', EndpointConfigName: 'config' });
  await stack.clock.advance(300_000);
  await stack.clock.advance(60_000);
  await stack.idle();
  expect(await stack.describe()).toMatchObject({
    EndpointStatus: 'InService',
    EndpointConfigName: 'second',
    LastDeploymentConfig: watched,
  });
});

test.each(['CANARY', 'LINEAR'] as const)('traffic that moves by %s is refused by name', async (Type) => {
  stack = await localEndpoints();
  await stack.deploy();
  await stack.makeConfig('second');
  const TrafficRoutingConfiguration = { Type, WaitIntervalInSeconds: 0 };
  await expect(
    stack.update('second', { DeploymentConfig: { BlueGreenUpdatePolicy: { TrafficRoutingConfiguration } } }),
  ).rejects.toThrow(`TrafficRoutingConfiguration of type ${Type} is not emulated by this stack`);
});

test('an alarm that goes off while the new fleet is watched rolls the update back', async () => {
  let alarm: 'OK' | 'ALARM' = 'OK';
  stack = await localEndpoints({ alarms: { stateOf: (name) => (name === 'errors' ? alarm : undefined) } });
  await stack.deploy();
  await stack.makeConfig('second');
  await stack.client.send(
    new UpdateEndpointCommand({
      EndpointName: 'endpoint',
      EndpointConfigName: 'second',
      DeploymentConfig: {
        ...watched,
        AutoRollbackConfiguration: { Alarms: [{ AlarmName: 'errors' }] },
      },
    }),
  );
  await until(() => stack.specs.length === 2);
  alarm = 'ALARM';
  await stack.advanceUntil(async () => (await stack.describe()).EndpointStatus === 'InService');
  expect(await stack.describe()).toMatchObject({
    EndpointConfigName: 'config',
    FailureReason: expect.stringContaining('errors'),
  });
});

/** All traffic at once, and the old fleet next to the new one for some seconds. */
const baked = (seconds: number) => ({
  BlueGreenUpdatePolicy: {
    TrafficRoutingConfiguration: { Type: 'ALL_AT_ONCE' as const, WaitIntervalInSeconds: 0 },
    TerminationWaitInSeconds: seconds,
  },
  AutoRollbackConfiguration: { Alarms: [{ AlarmName: 'errors' }] },
});

/** Updates while an alarm rings some time after the traffic has moved. */
async function ringAfter(
  alarmAtMs: number,
  bakeSeconds: number,
  limit: { longestUpdateWaitSeconds?: number } = {},
) {
  let alarm: 'OK' | 'ALARM' = 'OK';
  stack = await localEndpoints({
    ...limit,
    alarms: { stateOf: (name) => (name === 'errors' ? alarm : undefined) },
  });
  await stack.deploy();
  await stack.makeConfig('second');
  const asked = {
    EndpointName: 'endpoint',
    EndpointConfigName: 'second',
    DeploymentConfig: baked(bakeSeconds),
  };
  await stack.client.send(new UpdateEndpointCommand(asked));
  await until(async () => (await stack.invoke()).text === '1');
  const [before] = (await stack.describe()).PendingDeploymentSummary?.ProductionVariants ?? [];
  await stack.clock.advance(alarmAtMs);
  alarm = 'ALARM';
  await stack.advanceUntil(async () => (await stack.describe()).EndpointStatus === 'InService');
  const { EndpointConfigName: configName, FailureReason: reason } = await stack.describe();
  const started = stack.specs.length;
  return { bake: before?.VariantStatus, configName, reason, answer: (await stack.invoke()).text, started };
}

test('an alarm that rings in the bake brings the old fleet back, which never stopped', async () => {
  expect(await ringAfter(120_000, 300)).toEqual({
    bake: [expect.objectContaining({ Status: 'Baking' })],
    configName: 'config',
    reason: expect.stringContaining('errors'),
    answer: '0',
    started: 2,
  });
});

test('without a bake no alarm is in time: the new fleet stays, whatever rings', async () => {
  expect(await ringAfter(0, 0)).toMatchObject({ configName: 'second', answer: '1' });
});

test.each([
  ['the bake', 301_000, 300, undefined],
  ['the longest wait of the stack', 11_000, 300, 10],
])('an alarm after %s changes nothing', async (_, alarmAtMs, seconds, longest) => {
  const limit = longest === undefined ? {} : { longestUpdateWaitSeconds: longest };
  expect(await ringAfter(alarmAtMs, seconds, limit)).toMatchObject({ configName: 'second', answer: '1' });
});

test('an alarm that is not there is refused', async () => {
  stack = await localEndpoints();
  await stack.deploy();
  await stack.makeConfig('second');
  await expect(
    stack.update('second', {
      DeploymentConfig: { AutoRollbackConfiguration: { Alarms: [{ AlarmName: 'absent' }] } },
    }),
  ).rejects.toThrow('Alarm absent of AutoRollbackConfiguration does not exist');
});

test('an update during an update is refused', async () => {
  let healthy = true;
  stack = await localEndpoints({ get: () => ({ status: healthy ? 200 : 503 }) });
  await stack.deploy();
  await stack.makeConfig('second');
  healthy = false;
  const asked = { EndpointName: 'endpoint', EndpointConfigName: 'second' };
  await stack.client.send(new UpdateEndpointCommand(asked));
  await expect(stack.client.send(new UpdateEndpointCommand(asked))).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      'Cannot update in-progress endpoint "arn:aws:sagemaker:us-east-1:000000000000:endpoint/endpoint".',
  });
});

test('retained properties of a variant outlive the new configuration', async () => {
  stack = await localEndpoints();
  await stack.deploy({ InitialInstanceCount: 2, InitialVariantWeight: 0.5 });
  await stack.makeConfig('second', { InitialInstanceCount: 1 });
  const updated = await stack.update('second', {
    RetainAllVariantProperties: true,
    ExcludeRetainedVariantProperties: [{ VariantPropertyType: 'DesiredWeight' }],
  });
  expect(updated.ProductionVariants).toMatchObject([{ CurrentInstanceCount: 2, CurrentWeight: 1 }]);
});

test('without them an update sets the number of its configuration, whatever the variant has been scaled to', async () => {
  stack = await localEndpoints();
  await stack.deploy({ InitialInstanceCount: 3 });
  await stack.makeConfig('second', { InitialInstanceCount: 1 });
  const updated = await stack.update('second');
  expect(updated.ProductionVariants).toMatchObject([{ CurrentInstanceCount: 1 }]);
});

test('an update that the end of the stack interrupts goes on after the restart', async () => {
  let healthy = true;
  stack = await localEndpoints({ get: () => ({ status: healthy ? 200 : 503 }) });
  await stack.deploy();
  await stack.makeConfig('second');
  healthy = false;
  await stack.client.send(
    new UpdateEndpointCommand({ EndpointName: 'endpoint', EndpointConfigName: 'second' }),
  );
  await until(() => stack.specs.length === 2);
  const before = stack;
  await before.close();
  stack = await localEndpoints({ dir: before.dir });
  await stack.idle();
  expect(await stack.describe()).toMatchObject({ EndpointStatus: 'InService', EndpointConfigName: 'second' });
});
