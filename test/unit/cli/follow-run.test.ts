import { expect, test } from 'vitest';
import type { ExecutionEvent } from '../../../src/aws/states/executions.ts';
import { followRun } from '../../../src/cli/show/follow-run.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

const UNTOUCHED = {
  endpointName: 'inferdrop-digits',
  configName: null,
  hardware: null,
  deployedBy: null,
  expiresAt: null,
  hourlyUsd: null,
  maxHourlyUsd: null,
  servedHours: null,
  removed: { configs: 0, models: 0 },
  hadChange: false,
};

/** Lines that following an execution of this history shows. */
async function shown(...events: readonly (readonly [type: string, rest?: object])[]): Promise<string[]> {
  const executions = memoryExecutions();
  const { arn } = await executions.start('t', '{}');
  executions.all[0]!.events.push(
    ...events.map(([type, rest]): ExecutionEvent => ({ id: events.length, type, at: new Date(), ...rest })),
  );
  executions.end('t', 'FAILED');
  const terminal = silentTerminal();
  await followRun(executions, arn, terminal, { intervalMs: 1, appearWithinMs: 1 });
  return terminal.lines.map((line) => line.trim().replace(/\s+/g, ' '));
}

const entered = (state: string) => ['TaskStateEntered', { state }] as const;
const exited = (state: string, output: unknown) =>
  ['TaskStateExited', { state, output: JSON.stringify(output) }] as const;

test('a refused deployment shows what failed, and that nothing was changed', async () => {
  expect(
    await shown(
      entered('DeployEndpoint'),
      ['TaskFailed', { error: 'Throttled', cause: '' }],
      ['TaskScheduled'],
      ['TaskFailed', { error: 'EndpointKindDiffers', cause: '' }],
      exited('DeployEndpoint', { Error: 'EndpointKindDiffers' }),
      entered('RollBackEndpoint'),
      exited('RollBackEndpoint', { status: 'nothing' }),
      entered('FinishUntouched'),
      exited('FinishUntouched', UNTOUCHED),
    ),
  ).toEqual(['✗ deploy EndpointKindDiffers', '✓ finish nothing was changed: nothing serves']);
});

test('an endpoint that did not come up, and answers that differ, are failures', async () => {
  expect(
    await shown(
      entered('CheckEndpoint'),
      exited('CheckEndpoint', { status: 'failed', reason: 'no capacity' }),
      entered('TestEndpoint'),
      exited('TestEndpoint', { status: 'disagrees', tested: 1, reason: '"a.png": cat, not dog' }),
      entered('CheckTransform'),
      exited('CheckTransform', { status: 'ended', jobStatus: 'Failed' }),
    ),
  ).toEqual(['✗ endpoint no capacity', '✗ test "a.png": cat, not dog', '✗ transform job failed']);
});

test('an error after which the machine goes on as intended is no failure', async () => {
  expect(
    await shown(
      entered('DeployEndpoint'),
      ['TaskFailed', { error: 'StepFunctions.ExecutionAlreadyExistsException', cause: '' }],
      exited('DeployEndpoint', {}),
      ['SucceedStateEntered', { state: 'Done' }],
    ),
  ).toEqual([]);
});

test('what never starts is named as a person knows it', async () => {
  const arn = 'arn:aws:states:us-east-1:000000000000:execution:runs:clothes-monday-000001';
  const following = followRun(memoryExecutions(), arn, silentTerminal(), {
    intervalMs: 0,
    appearWithinMs: -1,
  });
  await expect(following).rejects.toMatchObject({
    name: 'RunNotStarted',
    message: expect.stringMatching(/^nothing has started as clothes-monday-000001: inferdrop dead-letters/),
  });
});
