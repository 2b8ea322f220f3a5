import { setTimeout as pause } from 'node:timers/promises';
import { SageMakerClient, UpdateEndpointWeightsAndCapacitiesCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { alarmStates } from '../../src/aws/account/alarm-states.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toCandidateName } from '../../src/endpoint/names.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import {
  type EndpointLaptop,
  PIPELINE,
  RUN,
  startEndpointLaptop,
  writeWrongModel,
} from '../support/endpoint-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

let laptop: EndpointLaptop;
/** Runs while a candidate waits for the answer to its first test request. */
let whileTested: (() => Promise<void>) | undefined;
/** Hold what serves back from its requests, and say that one came. */
let whileServing = Promise.withResolvers<void>();
whileServing.resolve();
let whenServing = (): void => undefined;
beforeAll(async () => {
  const invocation = async (endpointName: string): Promise<void> => {
    if (endpointName !== candidateName()) {
      whenServing();
      return whileServing.promise;
    }
    const act = whileTested;
    whileTested = undefined;
    await act?.();
  };
  laptop = await startEndpointLaptop({
    faults: { invocation },
    machine: { exactWaits: true },
    configure: (config) =>
      void (config.endpoint = { deploy: 'never', ttlHours: 8, idleHours: null, bakeSeconds: 0 }),
  });
  await laptop.change({ run: RUN });
});
afterAll(() => laptop.close());

const candidateName = (): string => {
  const { endpointPrefix, bucket } = laptop.application;
  return toCandidateName({ prefix: endpointPrefix, bucket }, PIPELINE);
};
const isGone = (name: string) =>
  laptop.until(async () =>
    (await laptop.application.endpoints.describe(name)) === undefined ? true : undefined,
  );

/** The steps that an execution has begun. */
async function stepsOf(arn: string): Promise<readonly (string | undefined)[]> {
  const steps: (string | undefined)[] = [];
  for await (const { type, state } of laptop.application.endpointChanges.history(arn))
    if (type === 'TaskStateEntered') steps.push(state);
  return steps;
}

/** Pause between two requests of a caller, who leaves the update some of the machine. */
const PAUSE_MS = 25;

/** Asks one request after another until it is stopped. */
function constantRequests() {
  const answers: { status: number; variant: string; label: string }[] = [];
  let isOver = false;
  const call = async (): Promise<void> => {
    while (!isOver) {
      const response = await laptop.predict();
      const { variant, predictions }: any = await response.json();
      answers.push({ status: response.status, variant, label: predictions?.[0].label });
      await pause(PAUSE_MS);
    }
  };
  const caller = call();
  return {
    answers,
    more: (count: number) => {
      const wanted = answers.length + count;
      return laptop.until(() => (answers.length >= wanted ? true : undefined));
    },
    async stop() {
      isOver = true;
      await caller;
      return {
        statuses: [...new Set(answers.map(({ status }) => status))],
        variants: [...new Set(answers.map(({ variant }) => variant))],
      };
    },
  };
}

it('a better model is tested beside the one that serves, then takes over without a failed request', async () => {
  const before = (await laptop.served())!;
  const run = await laptop.planLike('tuesday', (plan) => {
    plan.model.environment = { RELEASE: '2' };
    plan.endpoint.bakeSeconds = 60;
    plan.labels.classes = plan.labels.classes.map((name: string) => `new ${name}`);
  });
  const requests = constantRequests();
  const lines: string[] = [];
  whileTested = async () => {
    await requests.more(10);
    expect(await laptop.served()).toEqual(before);
    const terminal = { ...silentTerminal(), print: (text: string) => void lines.push(text) };
    await runCommandLine(['endpoints', '--json'], terminal);
  };
  const arn = await laptop.start({ run });
  expect(await laptop.ended(arn)).toMatchObject({ status: 'SUCCEEDED' });
  // The test is made once, while the old fleet is still kept, and is followed by the end of that.
  const steps = await stepsOf(arn);
  expect(steps.filter((step) => step === 'TestEndpoint')).toHaveLength(2);
  expect(steps.lastIndexOf('CheckEndpoint')).toBeGreaterThan(steps.lastIndexOf('TestEndpoint'));
  const after = (await laptop.served())!;
  await laptop.until(() => requests.answers.some(({ variant }) => variant === after.live) || undefined);
  expect(await requests.stop()).toEqual({ statuses: [200], variants: [before.live, after.live] });
  // Each answer has the classes of the model that gave it.
  for (const { label, variant } of requests.answers)
    expect([variant, label.startsWith('new ')]).toEqual([variant, variant === after.live]);
  expect(after.variants[after.live!]!.run).toBe(run);
  expect(JSON.parse(lines[0]!)).toMatchObject([
    { status: 'InService', candidate: { endpoint: candidateName(), status: 'InService' } },
  ]);
  await isGone(candidateName());
});

it('a model that answers wrongly as soon as it serves gives way to the fleet that never stopped', async () => {
  const before = (await laptop.served())!;
  const { endpointName } = before;
  const { configName } = before.variants[before.live!]!;
  // Right for as long as the candidate is tested.
  const sha256 = await writeWrongModel(laptop, 20);
  const run = await laptop.planLike('wrong', (plan) => {
    plan.model.sha256 = sha256;
    plan.endpoint.bakeSeconds = 300;
  });
  const requests = constantRequests();
  const ended = await laptop.change({ run });
  expect(ended).toMatchObject({ status: 'FAILED', error: 'SmokeTestFailed' });
  expect(ended.cause).toContain('differ from batch');
  expect((await requests.stop()).statuses).toEqual([200]);
  expect(requests.answers.some(({ variant }) => variant !== before.live)).toBe(true);
  // A second update would have taken the reason away.
  expect(await laptop.application.endpoints.describe(endpointName)).toMatchObject({
    status: 'InService',
    configName,
    failureReason: expect.stringContaining(`in ALARM: ${endpointName}-disagrees`),
  });
  expect(await laptop.served()).toEqual(before);
  const { variant }: any = await (await laptop.predict()).json();
  expect(variant).toBe(before.live);
});

it('a model that answers wrongly never serves, and the message gives the reason', async () => {
  const before = (await laptop.served())!;
  const sha256 = await writeWrongModel(laptop);
  const run = await laptop.planLike('wednesday', (plan) => void (plan.model.sha256 = sha256));
  const requests = constantRequests();
  whileTested = () => requests.more(10).then(() => undefined);
  const ended = await laptop.change({ run });
  expect(ended).toMatchObject({ status: 'FAILED', error: 'SmokeTestFailed' });
  expect(ended.cause).toContain('differ from batch');
  await requests.more(10);
  expect(await requests.stop()).toEqual({ statuses: [200], variants: [before.live] });
  expect(await laptop.served()).toEqual(before);
  await isGone(candidateName());
  const reported = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('was rolled back') && message.includes(run)),
  );
  expect(reported).toContain('differ from batch');
  const terminal = silentTerminal();
  await runCommandLine(['endpoints', 'logs', PIPELINE], terminal);
  expect(terminal.lines.some((line) => line.includes(` ${candidateName()} `))).toBe(true);
});

/** Another deployment waits its turn meanwhile; it has changed nothing when it is stopped, and is reported all the same. */
async function stopWaiting(): Promise<void> {
  const { endpointChanges } = laptop.application;
  const arn = await laptop.start({ run: RUN });
  await laptop.until(async () => {
    for await (const { state } of endpointChanges.history(arn)) if (state === 'WaitForTurn') return true;
    return undefined;
  });
  await endpointChanges.stop(arn, { error: 'Impatient', cause: 'by bob' });
  const reported = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('Impatient')),
  );
  expect(reported).toContain('could not be changed');
}

it('a deployment that is stopped while its candidate is tested is reported at once, and leaves nothing', async () => {
  const before = (await laptop.served())!;
  const run = await laptop.release('thursday');
  const { endpointChanges, endpoints } = laptop.application;
  let arn = '';
  whileTested = async () => {
    await stopWaiting();
    await endpointChanges.stop(arn, { error: 'Canceled', cause: 'by ann' });
  };
  arn = await laptop.start({ run });
  expect(await laptop.ended(arn)).toMatchObject({ status: 'ABORTED' });
  const reported = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('Canceled')),
  );
  expect(reported).toContain(run);
  expect(reported).toContain('was stopped');
  await isGone(candidateName());
  expect(await laptop.served()).toEqual(before);
  const configs: string[] = [];
  for await (const name of endpoints.configNames('inferdrop-dev-clothes-')) configs.push(name);
  expect(configs).toEqual([before.variants[before.live!]!.configName]);
  expect((await laptop.predict()).status).toBe(200);
});

/** Waits for SageMaker to be at the update of what serves. */
const isUpdating = (name: string) =>
  laptop.until(async () => {
    const { status } = (await laptop.application.endpoints.describe(name))!;
    return status === 'Updating' ? true : undefined;
  });

/** Stops a deployment when `moment` has come; what served before serves again, and nothing of the other is left. */
async function expectTakenBack(
  drop: string,
  moment: (endpointName: string) => Promise<unknown>,
): Promise<void> {
  const before = (await laptop.served())!;
  const { endpointName } = before;
  const { configName } = before.variants[before.live!]!;
  const { endpointChanges, endpoints } = laptop.application;
  const run = await laptop.release(drop);
  const toldBefore = (await laptop.messages()).length;
  const arn = await laptop.start({ run });
  await moment(endpointName);
  await endpointChanges.stop(arn, { error: 'Canceled', cause: `on ${drop}` });
  whileServing.resolve();
  const reported = await laptop.until(async () =>
    (await laptop.messages()).slice(toldBefore).find((message) => message.includes('stopped')),
  );
  expect(reported).toContain('was rolled back');
  expect(reported).toContain(run);
  expect(await endpoints.describe(endpointName)).toMatchObject({ status: 'InService', configName });
  expect(await laptop.served()).toEqual(before);
  expect(await endpoints.describe(candidateName())).toBeUndefined();
  const configs: string[] = [];
  for await (const name of endpoints.configNames('inferdrop-dev-clothes-')) configs.push(name);
  expect(configs).toEqual([configName]);
  const { variant }: any = await (await laptop.predict()).json();
  expect(variant).toBe(before.live);
}

it('a deployment that is stopped while SageMaker updates is taken back when the update has ended', async () => {
  await expectTakenBack('friday', isUpdating);
});

it('a deployment that is stopped while its model serves and is tested again is taken back', async () => {
  await expectTakenBack('saturday', async (endpointName) => {
    await isUpdating(endpointName);
    const reached = Promise.withResolvers<void>();
    whileServing = Promise.withResolvers();
    whenServing = reached.resolve;
    await reached.promise;
  });
});

it('what autoscaling has grown is kept by an update, and on the way back', async () => {
  const autoscaling = { minInstances: 1, maxInstances: 3, invocationsPerInstance: 100 };
  const scaled = (drop: string) =>
    laptop.planLike(drop, (plan) => {
      plan.endpoint.autoscaling = autoscaling;
      plan.model.environment = { RELEASE: drop };
    });
  expect(await laptop.change({ run: await scaled('small') })).toMatchObject({ status: 'SUCCEEDED' });
  const { endpointName, live } = (await laptop.served())!;
  const instances = async () =>
    (await laptop.application.endpoints.describe(endpointName))!.variants.map((one) => one.instances);
  // What Application Auto Scaling calls.
  await new SageMakerClient().send(
    new UpdateEndpointWeightsAndCapacitiesCommand({
      EndpointName: endpointName,
      DesiredWeightsAndCapacities: [{ VariantName: live!, DesiredInstanceCount: 2 }],
    }),
  );
  await laptop.until(async () => (await instances())[0] === 2 || undefined);

  const reached = Promise.withResolvers<void>();
  whileServing = Promise.withResolvers();
  whenServing = reached.resolve;
  const arn = await laptop.start({ run: await scaled('large') });
  await reached.promise;
  expect(await instances()).toEqual([2]);
  await laptop.application.endpointChanges.stop(arn, { error: 'Canceled', cause: 'while it serves' });
  whileServing.resolve();
  await laptop.until(async () => {
    const found = (await laptop.application.endpoints.describe(endpointName))!;
    const change = await laptop.application.store.readText(bucketLayout.endpointChange(PIPELINE));
    return (found.status === 'InService' && change === undefined) || undefined;
  });
  expect(await instances()).toEqual([2]);
  expect((await laptop.served())!.live).toBe(live);
});

it('an endpoint whose time is up is announced, then deleted, with what it cost', async () => {
  const found = (await laptop.served())!;
  const expiresAt = Date.parse(found.expiresAt!);
  const ownAlarm = async () => [
    ...(await alarmStates().states([`${found.endpointName}-disagrees`])).values(),
  ];
  expect(await ownAlarm()).toHaveLength(1);
  expect(await laptop.sweepAt(expiresAt - 3 * 3_600_000)).toMatchObject({ endpoints: 1, warned: 0 });
  expect(await laptop.sweepAt(expiresAt - 60_000)).toMatchObject({ warned: 1, deleted: 0 });
  expect(await laptop.sweepAt(expiresAt + 14 * 60_000)).toMatchObject({ warned: 0, deleted: 1 });
  await isGone(found.endpointName);
  await laptop.until(async () => (await laptop.served()) === undefined || undefined);
  expect(await ownAlarm()).toEqual([]);
  expect((await laptop.predict()).status).toBe(404);
  const reported = await laptop.until(async () =>
    (await laptop.messages()).find((message) => message.includes('its time was up')),
  );
  expect(reported).toMatch(/is deleted[^]*Saved/);
  expect((await laptop.messages()).join('\n')).toContain('will be deleted');
});

it('inferdrop verify asks IAM about every call that a role has made', () => {
  // What is listed is put on file by RECORD_ROLE_CALLS=1, where a role should make the call.
  expect(laptop.unaskedCalls()).toEqual([]);
});
