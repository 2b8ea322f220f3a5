import { expect, it } from 'vitest';
import type { VerifyServices } from '../../../src/app/verify/check.ts';
import { deniedCalls } from '../../../src/app/verify/checks/denied-calls.ts';
import type { TrailFilter } from '../../../src/aws/account/call-trail.ts';

interface Event {
  readonly session: string;
  readonly call: string;
  readonly role: string;
  readonly code?: string;
  readonly message?: string;
}

const NOW = Date.parse('2026-11-23T12:00:00Z');
const RESOURCES = [
  ['CheckTransform', 'inferdrop-dev-check-transform', 'AWS::Lambda::Function'],
  ['FinishEndpoint', 'inferdrop-dev-finish-endpoint', 'AWS::Lambda::Function'],
  ['ModelRole', 'model-role', 'AWS::IAM::Role'],
  ['TrainingRole', 'training-role', 'AWS::IAM::Role'],
  ['StatesRole', 'states-role', 'AWS::IAM::Role'],
] as const;

/** The check over these events, the newest first, a minute apart. */
function found(events: readonly Event[]) {
  const trail = async function* (filter: TrailFilter) {
    for (const [index, event] of events.entries()) {
      if ('user' in filter ? event.session !== filter.user : event.call !== filter.call) continue;
      const [source = '', name = ''] = event.call.includes(':')
        ? event.call.split(':')
        : ['states', event.call];
      yield {
        at: new Date(NOW - index * 60_000),
        record: JSON.stringify({
          eventSource: `${source}.amazonaws.com`,
          eventName: name,
          errorCode: event.code,
          errorMessage: event.message,
          userIdentity: { arn: `arn:aws:sts::123456789012:assumed-role/${event.role}/${event.session}` },
        }),
      };
    }
  };
  const stack = {
    resources: RESOURCES.map(([logicalId, physicalId, type]) => ({
      logicalId,
      physicalId,
      type,
      status: '',
    })),
  };
  return deniedCalls.run({ trail, stack, clock: () => new Date(NOW) } as unknown as VerifyServices);
}

const fine: Event = {
  session: 'inferdrop-dev-check-transform',
  call: 'sagemaker:DescribeTransformJob',
  role: 'r',
};

it('a refusal behind a thousand calls that went well makes the answer a warning, not ok', async () => {
  const late = { ...fine, code: 'AccessDeniedException', message: 'no' };
  expect(await found([...Array.from({ length: 999 }, () => fine), late])).toMatchObject({
    verdict: 'failed',
  });
  const finding = await found([...Array.from({ length: 1_000 }, () => fine), late]);
  expect(finding).toMatchObject({
    verdict: 'warning',
    answered: expect.stringContaining('inferdrop-dev-check-transform since 2026-11-22 19:20:00 UTC only'),
  });
});

it.each<[string, Event, string]>([
  [
    'the role of trainings',
    { session: 'SageMaker', call: 'ecr:BatchGetImage', role: 'training-role', code: 'AccessDenied' },
    'training-role ecr:BatchGetImage',
  ],
  [
    'a state machine, whose session has a name of its own',
    { session: 'XyZ', call: 'StartExecution', role: 'states-role', code: 'AccessDeniedException' },
    'states-role states:StartExecution',
  ],
  [
    'Application Auto Scaling, which calls it invalid',
    {
      session: 'inferdrop-dev-finish-endpoint',
      call: 'application-autoscaling:RegisterScalableTarget',
      role: 'r',
      code: 'ValidationException',
      message: 'User is not authorized to perform: sagemaker:DescribeEndpoint',
    },
    'application-autoscaling:RegisterScalableTarget',
  ],
])('a refusal of %s is found', async (_, event, answered) => {
  expect(await found([event])).toMatchObject({
    verdict: 'failed',
    answered: expect.stringContaining(answered),
  });
});

it('refusals of others in the account are not the stack’s', async () => {
  const others: Event[] = [
    { session: 'SageMaker', call: 'ecr:BatchGetImage', role: 'another-role', code: 'AccessDenied' },
    { session: 'X', call: 'StartExecution', role: 'another-role', code: 'AccessDenied' },
  ];
  expect(await found(others)).toMatchObject({ verdict: 'ok' });
});
