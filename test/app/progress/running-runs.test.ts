import { expect, test } from 'vitest';
import { runningRuns } from '../../../src/app/progress/running-runs.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';

test('runs under way have their step, the newest first; those that have ended meanwhile and of other pipelines are left out', async () => {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const executions = memoryExecutions({ clock: () => new Date((nowMs += 60_000)) });
  const start = async (run: string, ...states: string[]) => {
    const { arn } = await executions.start(run.replaceAll('/', '-'), JSON.stringify({ schema: 1, run }));
    const events = states.map((state, at) => ({
      id: at + 1,
      type: 'TaskStateEntered',
      at: new Date(),
      state,
    }));
    executions.all.at(-1)!.events.push(...events);
    return arn;
  };
  const arns = [
    await start('training/clothes/a/000001', 'SettleDrop', 'CheckTraining'),
    await start('training/clothes/b/000001'),
    await start('training/other/a/000001', 'SettleDrop'),
    await start('training/clothes/c/000001', 'SettleDrop'),
  ];
  executions.end('training-clothes-c-000001', 'SUCCEEDED');
  const step = { status: 'running', startedAt: expect.any(String) };
  expect(await runningRuns(executions, arns, 'clothes')).toEqual([
    { ...step, run: 'training/clothes/b/000001', step: '', state: '', progress: null },
    { ...step, run: 'training/clothes/a/000001', step: 'train', state: 'CheckTraining', progress: null },
  ]);
  expect((await runningRuns(executions, arns, undefined)).map(({ run }) => run)).toContain(
    'training/other/a/000001',
  );
});

test('a choice between two looks at a job hides neither its step nor its progress', async () => {
  const executions = memoryExecutions({ clock: () => new Date('2026-03-01T12:00:00Z') });
  const run = 'clothes/a/000001';
  const { arn } = await executions.start('clothes-a-000001', JSON.stringify({ schema: 1, run }));
  const progress = { done: 3, total: 12, approximate: false };
  const running = JSON.stringify({ status: 'running', progress, poll: 1, waitSeconds: 30 });
  executions.all.at(-1)!.events.push(
    ...[
      { type: 'TaskStateEntered', state: 'CheckTransform' },
      { type: 'TaskStateExited', state: 'CheckTransform', output: running },
      { type: 'ChoiceStateEntered', state: 'TransformChecked' },
      { type: 'ChoiceStateExited', state: 'TransformChecked' },
      { type: 'WaitStateEntered', state: 'WaitForTransform' },
      { type: 'WaitStateExited', state: 'WaitForTransform' },
      { type: 'TaskStateEntered', state: 'CheckTransform' },
      { type: 'ChoiceStateEntered', state: 'TransformChecked' },
    ].map((event, at) => ({ ...event, id: at + 1, at: new Date() })),
  );
  expect(await runningRuns(executions, [arn], undefined)).toMatchObject([
    { step: 'transform', state: 'CheckTransform', progress },
  ]);
});
