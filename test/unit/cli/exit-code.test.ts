import { expect, test } from 'vitest';
import { exitCode } from '../../../src/cli/run-result.ts';

test.each([
  ['completed', 'passed', 0],
  ['completed', 'none', 0],
  ['completed-with-errors', 'passed', 0],
  ['empty', 'none', 0],
  ['completed', 'failed', 3],
  ['completed-with-errors', 'failed', 3],
  ['failed', 'failed', 1],
  ['failed', 'none', 1],
  ['refused', 'none', 1],
] as const)('a run that is %s with gate %s ends the command with %d', (status, verdict, code) => {
  expect(exitCode({ status, gate: { verdict, explanation: '' } })).toBe(code);
});
