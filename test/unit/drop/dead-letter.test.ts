import { expect, it } from 'vitest';
import { readLetter } from '../../../src/drop/dead-letter.ts';

const machines = {
  runs: { inference: 'arn:machine:b', training: 'arn:machine:t' },
  endpoint: 'arn:machine:e',
};
const read = (body: unknown, attributes: Record<string, string> = {}) =>
  readLetter(
    {
      id: '1',
      sentAt: new Date(0),
      body: typeof body === 'string' ? body : JSON.stringify(body),
      attributes,
    },
    machines,
  );

const scheduled = { 'detail-type': 'Scheduled Event', detail: {} };
const target = (name: string) => ({
  RULE_ARN: `arn:aws:events:us-east-1:000000000000:rule/inferdrop-dev-${name}`,
  TARGET_ARN: `arn:aws:lambda:us-east-1:000000000000:function:inferdrop-dev-${name}`,
  ERROR_CODE: 'NO_PERMISSIONS',
});

it.each([
  ['sweep', '{}'],
  ['sweep-endpoints', '{"check":"endpoints"}'],
  ['canary', '{"check":"stack"}'],
])('a schedule’s own event for %s becomes the constant input of its rule', (name, body) => {
  expect(read(scheduled, target(name))).toEqual({
    from: `rule inferdrop-dev-${name}`,
    about: name,
    why: 'NO_PERMISSIONS',
    destination: { to: name, body },
  });
});

it.each([
  [
    'a schedule of another function',
    scheduled,
    target('other'),
    'no rule of this stack has the target inferdrop-dev-other',
  ],
  ['a schedule that names no target', scheduled, {}, 'no rule of this stack has the target'],
  [
    'the end of an execution of another stack',
    {
      'detail-type': 'Step Functions Execution Status Change',
      detail: { stateMachineArn: 'arn:machine:x', name: 'n', status: 'FAILED' },
    },
    {},
    'the execution is of arn:machine:x',
  ],
  ['JSON of no known form', { some: 'thing' }, {}, 'message must have key and time'],
])('%s belongs nowhere', (_what, body, attributes, problem) => {
  expect(read(body, attributes).destination).toMatchObject({
    to: 'nowhere',
    problem: expect.stringContaining(problem),
  });
});

it('an upload whose file belongs to no drop is sent on: accept-drop logs and drops it', () => {
  const body = JSON.stringify({ key: 'incoming/alone.png', time: '2026-03-02T09:15:07Z' });
  expect(read(body).destination).toEqual({ to: 'uploads', body });
});
