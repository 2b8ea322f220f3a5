import { expect, test } from 'vitest';
import { followRun } from '../../../src/cli/show/follow-run.ts';
import { trainingLine, trainingNews } from '../../../src/cli/show/training-progress.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';

const seen = (secondaryStatus: string, metrics: Record<string, number | null>, ...lastLines: string[]) => ({
  secondaryStatus,
  metrics,
  lastLines,
});

const RUNNING = { status: 'running', waitSeconds: 1, poll: 1 };

test('a look tells what the one before had not seen', () => {
  const first = seen('Downloading', {});
  const second = seen('Training', { loss: 0.5 }, 'a', 'b', 'c');
  const third = seen('Training', { loss: 0.25 }, 'b', 'c', 'd');
  expect(trainingNews(undefined, first)).toEqual(['Downloading']);
  expect(trainingNews(first, second)).toEqual(['Training', 'loss 0.5', '| a', '| b', '| c']);
  expect(trainingNews(second, third)).toEqual(['loss 0.25', '| d']);
  expect(trainingNews(third, third)).toEqual([]);
  expect(trainingNews(third, seen('Training', { loss: null }, 'd'))).toEqual(['loss not a number']);
  expect(trainingNews(third, seen('Training', { loss: 0.25 }, 'x', 'y', 'z'))).toEqual(['| x', '| y', '| z']);
});

test('a line of the log cannot write to the terminal', () => {
  expect(trainingLine(seen('Training', { 'val\u001b': 1e-7 }, 'x\u001b[2J'))).toBe(
    'Training  val\\u{1b} 1e-7  | x\\u{1b}[2J',
  );
});

test('a followed training shows status, values and log before its job has ended', async () => {
  const executions = memoryExecutions();
  const { arn } = await executions.start('t', '{}');
  const check = (id: number, output: object) => [
    { id, type: 'TaskStateEntered', at: new Date(), state: 'CheckTraining' },
    {
      id: id + 1,
      type: 'TaskStateExited',
      at: new Date(),
      state: 'CheckTraining',
      output: JSON.stringify(output),
    },
  ];
  executions.all[0]!.events.push(
    ...check(1, { ...RUNNING, ...seen('Training', { loss: 0.5 }, 'epoch 1') }),
    ...check(3, { ...RUNNING, ...seen('Uploading', { loss: 0.4 }, 'epoch 1', 'epoch 2') }),
    ...check(5, { status: 'ended', jobStatus: 'Completed' }),
  );
  executions.end('t', 'SUCCEEDED');
  const terminal = silentTerminal();
  await followRun(executions, arn, terminal, { intervalMs: 1, appearWithinMs: 1 });
  expect(terminal.lines.map((line) => line.trim().replace(/\s+/g, ' '))).toEqual([
    '· train Training',
    '· train loss 0.5',
    '· train | epoch 1',
    '· train Uploading',
    '· train loss 0.4',
    '· train | epoch 2',
    '✓ train job completed',
  ]);
});
