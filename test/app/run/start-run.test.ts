import { expect, test } from 'vitest';
import { isRunOver, startRun } from '../../../src/app/run/start-run.ts';
import { toExecutionName } from '../../../src/run/execution-name.ts';
import { PARTS } from '../../support/drop-fixture.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';

test.each([
  ['SUCCEEDED', true],
  ['FAILED', true],
  ['TIMED_OUT', true],
  ['ABORTED', true],
  ['PENDING_REDRIVE', false],
  ['RUNNING', false],
  ['not known any more', false],
] as const)('whether a run is over whose execution is %s: %s', async (status, isOver) => {
  const executions = memoryExecutions();
  if (status !== 'not known any more') await startRun(() => executions, PARTS);
  if (status !== 'not known any more' && status !== 'RUNNING') executions.end(toExecutionName(PARTS), status);
  expect(await isRunOver(() => executions, PARTS)).toBe(isOver);
});
