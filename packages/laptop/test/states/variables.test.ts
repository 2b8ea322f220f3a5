import { afterAll, beforeAll, expect, test } from 'vitest';
import { invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeAll(async () => {
  stack = await localStates({ functions: { echo: (event) => event } });
});
afterAll(() => stack.close());

const begin = { Type: 'Pass', Assign: { x: 1 }, Next: 'A' };

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
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'B' }];
  const Assign = { x: 1, y: '{% $states.input.none %}' };
  const { output } = await stack.run(
    jsonata({
      A: invoke('echo', { Assign, Catch, Next: 'B', End: undefined }),
      B: { Type: 'Succeed', Output: '{% $exists($x) %}' },
    }),
  );
  expect(output).toBe('false');
});

test('a variable over 256 KiB is refused', async () => {
  const big = "{% $join($map([1..30000], function($i) { 'abcdefghij' })) %}";
  expect((await stack.run(jsonata({ A: { Type: 'Pass', Assign: { big }, End: true } }))).error).toBe(
    'States.DataLimitExceeded',
  );
});
