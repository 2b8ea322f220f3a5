import { expect, it } from 'vitest';
import { causeText } from '../../../src/problem/cause-text.ts';

it.each([
  [
    'the message of a Lambda’s error',
    '{"errorType":"PlanRefused","errorMessage":"2 problems","trace":[]}',
    '2 problems',
  ],
  ['a text that is no JSON', 'The execution was stopped.', 'The execution was stopped.'],
  ['JSON of another form', '{"message":"no"}', '{"message":"no"}'],
  ['JSON whose message is no text', '{"errorMessage":7}', '{"errorMessage":7}'],
  ['JSON that is no object', 'null', 'null'],
])('a person reads %s', (_what, cause, text) => {
  expect(causeText({ error: 'PlanRefused', cause })).toBe(text);
});

const DIED = '{"errorType":"Runtime.OutOfMemory","errorMessage":"signal: killed"}';

it.each([
  [
    'a time-out, which has no cause',
    { error: 'States.Timeout', cause: '', step: 'PlanRun' },
    'the step PlanRun had no answer within its time limit',
  ],
  [
    'what an execution says that has ended',
    { error: 'States.Timeout', cause: '' },
    'a step had no answer within its time limit',
  ],
  ['the words of an execution', { error: 'States.Timeout', cause: 'It took too long.' }, 'It took too long.'],
  [
    'the death of a function',
    { error: 'Runtime.OutOfMemory', cause: DIED, step: 'PrepareModel' },
    'the step PrepareModel used up the memory of its function: signal: killed',
  ],
  ['another error without a cause', { error: 'toString', cause: '', step: 'PlanRun' }, ''],
])('a person reads %s, with the step', (_what, failure, text) => {
  expect(causeText(failure)).toBe(text);
});
