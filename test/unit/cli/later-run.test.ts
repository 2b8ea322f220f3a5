import { expect, test } from 'vitest';
import { laterRun } from '../../../src/cli/runs/later-run.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { aRun } from '../../support/a-run.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';

test('files that arrive after a run has begun are in the next generation, once that has started', async () => {
  const executions = memoryExecutions();
  expect(await laterRun(() => executions, 'clothes/monday/000001')).toBeUndefined();
  await executions.start(toExecutionName(aRun('clothes/monday/000002')), '{}');
  expect(await laterRun(() => executions, 'clothes/monday/000001')).toBe('clothes/monday/000002');
});
