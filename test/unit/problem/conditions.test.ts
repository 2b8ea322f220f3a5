import { expect, it } from 'vitest';
import { Condition, isCondition, operatorConditions } from '../../../src/problem/conditions.ts';
import { nextStepOf } from '../../../src/problem/service-errors.ts';

it.each([
  ['the condition', new Condition('RunEnded', 'over'), true],
  ['the second of the names', new Condition('RunUnknown', 'none'), true],
  ['an error of its name that came as JSON', Object.assign(new Error('over'), { name: 'RunEnded' }), true],
  ['another condition', new Condition('TarDamaged', 'cut'), false],
  ['what is no error, though it has the name', { name: 'RunEnded', message: 'over' }, false],
])('%s is recognized by its name', (_what, error, is) => {
  expect(isCondition(error, 'RunEnded', 'RunUnknown')).toBe(is);
});

it.each([
  ['Canceled', 'Rerun it if it is needed after all.'],
  ['Throttled', undefined],
  ['States.Runtime', /^Deploy again/],
  ['Runtime.ExitError', /^Rerun with fewer files/],
  ['toString', undefined],
])('the next step after %s', (name, next) => {
  if (next instanceof RegExp) expect(nextStepOf(name)).toMatch(next);
  else expect(nextStepOf(name)).toBe(next);
});

it('a function that the model has killed has its own remedy', () => {
  expect(nextStepOf('Runtime.ExitError', 'PrepareModel')).toMatch(
    /predictMemory.*transform\.engine "sagemaker"/,
  );
});

it('the operator’s table has a meaning and a next step in each row, and only what a user can correct', () => {
  const rows = operatorConditions();
  expect(rows.map(({ name }) => name)).toContain('Canceled');
  expect(rows.map(({ name }) => name)).not.toContain('Throttled');
  for (const { name, meaning, next } of rows)
    expect([name, meaning !== '', next]).toEqual([name, true, nextStepOf(name)]);
});
