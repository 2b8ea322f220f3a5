import { beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/app/endpoint/delete-endpoint.ts';
import { repairEndpoint } from '../../../src/app/endpoint/repair-endpoint.ts';
import { PARTS, RUN } from '../../support/drop-fixture.ts';
import { type EndpointWorld, endpointWorld } from '../../support/endpoint-world.ts';

let world: EndpointWorld;
beforeEach(async () => {
  world = await endpointWorld();
});
const end = (
  status: 'FAILED' | 'TIMED_OUT' | 'ABORTED',
  { action = 'deploy', ...detail }: { action?: string; error?: string; cause?: string } = {},
) => {
  world.running.delete('first');
  const input = JSON.stringify({ schema: 1, action, pipeline: 'shapes', run: RUN });
  return repairEndpoint({ detail: { executionArn: 'first', status, input, ...detail } }, world.services);
};

describe('an execution that ended without a word', () => {
  it('has its deployment rolled back, which sends a message', async () => {
    await world.deploy();
    const answer = await end('ABORTED', { error: 'Canceled', cause: 'by ann' });
    expect(answer).toEqual({ pipeline: 'shapes', outcome: 'mending' });
    expect(world.started).toMatchObject([
      {
        input: {
          action: 'restore',
          run: RUN,
          reason: 'the execution that was to deploy it was stopped (Canceled: by ann)',
        },
      },
    ]);
    expect(world.topic.messages).toEqual([]);
  });

  it('has its deletion finished', async () => {
    await world.deployed();
    world.running.add('first');
    await deleteEndpoint({ pipeline: PARTS.pipeline, executionArn: 'first' }, world.services);
    expect(await end('ABORTED', { action: 'delete' })).toMatchObject({ outcome: 'mending' });
    expect(world.started).toMatchObject([{ input: { action: 'delete' } }]);
  });

  it('is repaired once more where it was itself a repair that was stopped', async () => {
    await world.deploy();
    expect(await end('ABORTED', { action: 'restore' })).toMatchObject({ outcome: 'mending' });
  });

  it('is taken back once, however often the event comes', async () => {
    await world.deploy();
    await end('TIMED_OUT');
    await end('TIMED_OUT');
    expect(world.started).toHaveLength(1);
  });

  it.each([
    ['that waited for its turn', 'ABORTED', {}],
    ['that took too long', 'TIMED_OUT', {}],
    ['that no state could catch', 'FAILED', { error: 'States.Runtime', cause: 'bad expression' }],
    ['whose message could not be sent', 'FAILED', { error: 'EndpointNotTold', cause: 'too bad' }],
  ] as const)('is reported where it had changed nothing: one %s', async (_, status, detail) => {
    expect(await end(status, detail)).toMatchObject({ outcome: 'notified' });
    expect(world.topic.messages).toHaveLength(1);
    expect(world.topic.messages[0]!.body).toContain('the execution that was to deploy it');
    expect(world.started).toEqual([]);
  });
});

describe('an execution that failed by its own will', () => {
  it('has sent its message, so none is sent again', async () => {
    expect(await end('FAILED', { error: 'SmokeTestFailed' })).toMatchObject({ outcome: 'nothing' });
    expect([world.topic.messages, world.started]).toEqual([[], []]);
  });

  it('is taken back once more at once where its own way back failed', async () => {
    await world.deploy();
    expect(await end('FAILED', { error: 'EndpointFailed' })).toMatchObject({ outcome: 'mending' });
  });

  it('is left to the sweep where it was itself a repair, so that repairs do not start each other', async () => {
    await world.deploy();
    const answer = await end('FAILED', { action: 'restore', error: 'EndpointFailed' });
    expect(answer).toMatchObject({ outcome: 'nothing' });
    expect(world.started).toEqual([]);
    expect(await world.sweep()).toMatchObject({ restored: 1 });
    world.pass(1);
    expect(await world.sweep()).toMatchObject({ restored: 1 });
    expect(world.started).toHaveLength(2);
  });
});

it.each([
  ['deploy', 'FAILED', {}, 'deploy it failed', 'deploy'],
  ['deploy', 'TIMED_OUT', {}, 'deploy it took longer than its state machine allows', 'deploy'],
  ['deploy', 'ABORTED', { cause: 'by ann' }, 'deploy it was stopped (by ann)', 'deploy'],
  ['deploy', 'ABORTED', { error: 'Canceled' }, 'deploy it was stopped (Canceled)', 'deploy'],
  ['deploy', 'ABORTED', { error: 'Smoke' }, 'deploy it was stopped (Smoke)', 'deploy'],
  [
    'delete',
    'FAILED',
    { error: 'States.DataLimitExceeded', cause: '{"errorMessage": "too large"}' },
    'delete it failed (States.DataLimitExceeded: too large)',
    'delete',
  ],
  ['restore', 'TIMED_OUT', {}, 'go back to the model that served before took longer than', 'deploy'],
] as const)(
  'the message about an execution to %s that %s with %j',
  async (action, status, detail, words, next) => {
    expect(await end(status, { action, ...detail })).toMatchObject({ outcome: 'notified' });
    const { body } = world.topic.messages[0]!;
    expect(body).toContain(`Reason     the execution that was to ${words}`);
    expect(body).toContain(`inferdrop endpoints ${next} shapes`);
  },
);
