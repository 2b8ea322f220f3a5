import { expect, test } from 'vitest';
import { runSteps } from '../../../src/app/progress/run-steps.ts';
import type { ExecutionEvent } from '../../../src/aws/states/executions.ts';

const START = Date.parse('2026-03-01T12:00:00Z');

/** Events at seconds of an execution: `>` enters a state, `<` leaves it with an output. */
function history(
  ...lines: readonly (readonly [second: number, what: string, data?: object])[]
): ExecutionEvent[] {
  return lines.map(([second, what, data], index) => {
    const at = new Date(START + second * 1000);
    const state = what.slice(1);
    const json =
      data === undefined ? {} : { [what.startsWith('>') ? 'input' : 'output']: JSON.stringify(data) };
    if (what.startsWith('>')) return { id: index + 1, at, type: 'TaskStateEntered', state, ...json };
    if (what.startsWith('<')) return { id: index + 1, at, type: 'TaskStateExited', state, ...json };
    return { id: index + 1, at, type: what, ...data };
  });
}
const at = (second: number): string => new Date(START + second * 1000).toISOString();
const FROZEN = { status: 'frozen', objects: 2, bytes: 10 };

test('a step that is repeated stays one line; waiting is apart from work', () => {
  const { steps, next, progress } = runSteps(
    'inference',
    history(
      [0, '>SettleDrop', { run: 'cats/monday/000001' }],
      [1, '<SettleDrop', { status: 'waiting', waitSeconds: 4, poll: 1 }],
      [1, '>WaitForQuiet'],
      [5, '<WaitForQuiet'],
      [5, '>SettleDrop'],
      [6, '<SettleDrop', FROZEN],
      [6, '>PlanRun'],
      [8, '<PlanRun'],
      [8, '>StartTransform'],
      [9, '<StartTransform'],
      [9, '>CheckTransform'],
      [
        10,
        '<CheckTransform',
        { status: 'running', waitSeconds: 5, poll: 1, progress: { done: 1, total: 2, approximate: false } },
      ],
      [10, '>WaitForTransform'],
    ),
  );
  expect(steps.map(({ name, stretches }) => [name, stretches])).toEqual([
    ['Wait for files', [{ from: at(0), to: at(6), kind: 'wait' }]],
    ['Plan', [{ from: at(6), to: at(8), kind: 'work' }]],
    ['Predict', [{ from: at(8), to: null, kind: 'work' }]],
  ]);
  expect(steps[0]).toMatchObject({
    states: ['SettleDrop', 'WaitForQuiet'],
    said: '2 files, 10 B, frozen into a manifest',
    input: '{\n  "run": "cats/monday/000001"\n}',
    output: JSON.stringify(FROZEN, null, 2),
  });
  expect(next).toEqual(['Check outputs', 'Count', 'Report', 'Message']);
  expect(progress).toEqual({ done: 1, total: 2, approximate: false });
});

test('a failed job is a failed stretch, and the one after it is work again', () => {
  const [, predict] = runSteps(
    'inference',
    history(
      [0, '>SettleDrop'],
      [1, '<SettleDrop', FROZEN],
      [1, '>StartTransform'],
      [2, '<StartTransform'],
      [2, '>CheckTransform'],
      [9, '<CheckTransform', { status: 'ended', jobStatus: 'Failed' }],
      [9, '>ReconcileOutputs'],
      [10, '<ReconcileOutputs'],
      [10, '>StartTransform'],
    ),
  ).steps;
  expect(predict?.stretches).toEqual([
    { from: at(1), to: at(9), kind: 'failed' },
    { from: at(10), to: null, kind: 'work' },
  ]);
  expect(predict?.said).toBe('job failed');
});

test('the error that ended an execution stands at the step that it was in, and no step is to come', () => {
  const { steps, next } = runSteps(
    'inference',
    history(
      [0, '>SettleDrop'],
      [1, '<SettleDrop', FROZEN],
      [1, '>PlanRun'],
      [3, 'ExecutionAborted', { error: 'Canceled', cause: 'by me' }],
    ),
  );
  expect(steps.at(-1)).toMatchObject({
    name: 'Plan',
    error: 'Canceled: by me',
    stretches: [{ from: at(1), to: at(3), kind: 'failed' }],
  });
  expect(next).toEqual([]);
});

test('a step whose error leads to the report has failed; one whose error was tried again has not', () => {
  const error = { error: 'Refused', cause: 'no' };
  const { steps } = runSteps(
    'inference',
    history(
      [0, '>SettleDrop'],
      [1, 'LambdaFunctionFailed', error],
      [2, 'LambdaFunctionSucceeded'],
      [3, '<SettleDrop', FROZEN],
      [3, '>PlanRun'],
      [4, 'LambdaFunctionFailed', error],
      [4, '<PlanRun'],
      [4, '>WriteReport'],
    ),
  );
  expect(steps.map(({ name, stretches }) => [name, stretches.map(({ kind }) => kind)])).toEqual([
    ['Wait for files', ['wait']],
    ['Plan', ['failed']],
    ['Report', ['work']],
  ]);
});

test('a step that was left before its run failed is not the one that failed', () => {
  const { steps } = runSteps(
    'inference',
    history(
      [0, '>PlanRun'],
      [1, '<PlanRun'],
      [1, '>Notify'],
      [2, '<Notify'],
      [2, '>Failed'],
      [2, 'ExecutionFailed'],
    ),
  );
  expect(steps.map(({ name, error, stretches }) => [name, error, stretches.map(({ kind }) => kind)])).toEqual(
    [
      ['Plan', null, ['work']],
      ['Message', null, ['work']],
    ],
  );
});

test('choices and ends are no steps; a long output is cut', () => {
  const { steps } = runSteps(
    'training',
    history([0, '>SettleDrop', { text: 'x'.repeat(9_000) }], [1, '<SettleDrop'], [1, '>Gate'], [2, '<Gate']),
  );
  expect(steps.map(({ name }) => name)).toEqual(['Wait for files']);
  expect(steps[0]?.input?.length).toBeLessThan(4_100);
  expect(steps[0]?.input).toContain('… cut, ');
});
