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
  expect(causeText(cause)).toBe(text);
});
