import { afterAll, beforeAll, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeAll(async () => {
  stack = await localStates();
});
afterAll(() => stack.close());

const parallel = (states: object): object => ({
  Type: 'Parallel',
  Branches: [{ StartAt: 'In', States: states }],
  End: true,
});
const begin = { Type: 'Pass', Assign: { x: 1 }, Next: 'A' };

test('a branch reads the variables around it', async () => {
  const { output } = await stack.run(
    jsonata({ Begin: begin, A: parallel({ In: { Type: 'Succeed', Output: '{% $x %}' } }) }),
  );
  expect(output).toBe('[1]');
});

test('a branch cannot assign the variables around it', async () => {
  const { error, cause } = await stack.run(
    jsonata({ Begin: begin, A: parallel({ In: { Type: 'Pass', Assign: { x: 2 }, End: true } }) }),
  );
  expect([error, cause]).toEqual([
    'States.Runtime',
    "Variable 'x' belongs to an outer scope and cannot be assigned here.",
  ]);
});

test('what a branch assigns ends with it', async () => {
  const { error } = await stack.run(
    jsonata({
      A: { ...parallel({ In: { Type: 'Pass', Assign: { y: 2 }, End: true } }), End: undefined, Next: 'B' },
      B: { Type: 'Succeed', Output: '{% $y %}' },
    }),
  );
  expect(error).toBe('States.QueryEvaluationError');
});

test('children of a Distributed Map start without variables', async () => {
  const map = {
    Type: 'Map',
    Items: [1],
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'In',
      States: { In: { Type: 'Succeed', Output: '{% $exists($x) %}' } },
    },
    End: true,
  };
  expect((await stack.run(jsonata({ Begin: begin, A: map }))).output).toBe('[false]');
});

test('a failed attempt assigns nothing', async () => {
  const pass = { Type: 'Pass', Assign: { x: 1, y: '{% $states.input.none %}' }, End: true };
  const outer = {
    Type: 'Parallel',
    Branches: [{ StartAt: 'In', States: { In: pass } }],
    Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }],
    Next: 'B',
  };
  const { output } = await stack.run(
    jsonata({ A: outer, B: { Type: 'Succeed', Output: '{% $exists($x) %}' } }),
  );
  expect(output).toBe('false');
});

test('a variable over 256 KiB is refused', async () => {
  const big = "{% $join($map([1..30000], function($i) { 'abcdefghij' })) %}";
  expect((await stack.run(jsonata({ A: { Type: 'Pass', Assign: { big }, End: true } }))).error).toBe(
    'States.DataLimitExceeded',
  );
});
