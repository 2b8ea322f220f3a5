import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AwsError } from '../../kernel/aws-error.ts';
import { matchesError } from '../../states/states-error.ts';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

describe('names match', () => {
  test.each([
    [['Mine'], 'Mine', true],
    [['Mine'], 'Other', false],
    [['States.ALL'], 'Mine', true],
    [['States.ALL'], undefined, true],
    [['States.ALL'], 'States.Timeout', true],
    [['States.ALL'], 'States.DataLimitExceeded', false],
    [['States.DataLimitExceeded'], 'States.DataLimitExceeded', true],
    [['States.ALL'], 'States.Runtime', false],
    [['States.Runtime'], 'States.Runtime', false],
    [['States.TaskFailed'], 'Mine', true],
    [['States.TaskFailed'], 'States.Timeout', false],
    [['A', 'Mine'], 'Mine', true],
  ])('%j and %s: %s', (errorEquals, error, expected) => {
    expect(matchesError(errorEquals, error)).toBe(expected);
  });
});

/** Characters of a function's text with which the result of `lambda:invoke` has 256 KiB. */
const LARGEST_ANSWER =
  262_144 -
  JSON.stringify({
    ExecutedVersion: '$LATEST',
    Payload: '',
    SdkHttpMetadata: { HttpStatusCode: 200 },
    SdkResponseMetadata: { RequestId: 'r' },
    StatusCode: 200,
  }).length;

describe('errors of functions', () => {
  let stack: LocalStates;
  beforeAll(async () => {
    stack = await localStates({
      functions: {
        throttled: () => {
          throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', { statusCode: 429 });
        },
        absent: () => {
          throw new AwsError('ResourceNotFoundException', 'Function not found', { statusCode: 404 });
        },
        nameless: () => {
          throw new FunctionError('');
        },
        large: () => 'x'.repeat(LARGEST_ANSWER + 1),
        fits: () => 'x'.repeat(LARGEST_ANSWER),
        small: () => 1,
      },
    });
  });
  afterAll(() => stack.close());

  test.each([
    ['throttled', 'Lambda.TooManyRequestsException'],
    ['absent', 'Lambda.ResourceNotFoundException'],
    ['nameless', 'Lambda.Unknown'],
  ])('%s: %s', async (name, error) => {
    expect((await stack.run(jsonata({ A: invoke(name) }))).error).toBe(error);
  });

  test('an answer over 256 KiB is States.DataLimitExceeded, which States.ALL does not catch', async () => {
    const { error, cause } = await stack.run(
      jsonata({
        A: invoke('large', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }] }),
        B: { Type: 'Succeed' },
      }),
    );
    expect(error).toBe('States.DataLimitExceeded');
    expect(cause).toContain("state/task 'A'");
  });

  test('an answer of exactly 256 KiB passes', async () => {
    expect((await stack.run(jsonata({ A: invoke('fits') }))).status).toBe('SUCCEEDED');
  });

  test('an output over 256 KiB is States.DataLimitExceeded', async () => {
    const output = "{% $join($map([1..30000], function($i) { 'abcdefghij' })) %}";
    expect((await stack.run(jsonata({ A: { Type: 'Pass', Output: output, End: true } }))).error).toBe(
      'States.DataLimitExceeded',
    );
  });

  test('an expression without a value is States.QueryEvaluationError and tells state, field and source', async () => {
    const { error, cause } = await stack.run(
      jsonata({ A: { Type: 'Pass', Output: { x: '{% $states.input.a.b %}' }, End: true } }),
    );
    expect(error).toBe('States.QueryEvaluationError');
    expect(cause).toBe(
      "An error occurred while executing the state 'A' (entered at the event id #2). The JSONata expression " +
        "'$states.input.a.b' specified for the field 'Output/x' returned nothing (undefined).",
    );
  });

  test('an expression that throws tells JSONata’s reason', async () => {
    const { cause } = await stack.run(jsonata({ A: { Type: 'Pass', Output: "{% 1 + 'a' %}", End: true } }));
    expect(cause).toContain('T2002');
  });

  test('States.ALL catches a query error', async () => {
    const { output } = await stack.run(
      jsonata({
        A: invoke('small', {
          Output: '{% $states.result.none %}',
          Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }],
        }),
        B: { Type: 'Succeed', Output: '{% $states.input.Error %}' },
      }),
    );
    expect(output).toBe('"States.QueryEvaluationError"');
  });

  test('a function as a result is refused', async () => {
    const { error, cause } = await stack.run(
      jsonata({ A: { Type: 'Pass', Output: '{% $sum %}', End: true } }),
    );
    expect([error, cause.includes('unsupported result type')]).toEqual(['States.QueryEvaluationError', true]);
  });

  test('a Choice without a match is States.NoChoiceMatched', async () => {
    const choice = { Type: 'Choice', Choices: [{ Condition: '{% false %}', Next: 'B' }] };
    expect((await stack.run(jsonata({ A: choice, B: { Type: 'Succeed' } }))).error).toBe(
      'States.NoChoiceMatched',
    );
  });

  test('a condition must be a boolean', async () => {
    const choice = { Type: 'Choice', Choices: [{ Condition: '{% 1 %}', Next: 'B' }], Default: 'B' };
    const { cause } = await stack.run(jsonata({ A: choice, B: { Type: 'Succeed' } }));
    expect(cause).toContain("'Choices[0]/Condition' must give a boolean, gave 1.");
  });

  test('wrong arguments of lambda:invoke are States.Runtime, which nothing catches', async () => {
    const task = invoke('fits', {
      Arguments: { Function: 'fits' },
      Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }],
    });
    expect((await stack.run(jsonata({ A: task, B: { Type: 'Succeed' } }))).error).toBe('States.Runtime');
  });
});
