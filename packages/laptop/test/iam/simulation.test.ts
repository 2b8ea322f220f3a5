import { GetRoleCommand, IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { stackOf } from '../support/stack-of.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:q';
let stack: Awaited<ReturnType<typeof stackOf>>;
let iam: IAMClient;

beforeAll(async () => {
  const statement = (Effect: string, Action: string, Condition?: object) => ({
    Effect,
    Action,
    Resource: QUEUE,
    ...(Condition && { Condition }),
  });
  stack = await stackOf({
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [
            { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
          ],
        },
        Policies: [
          {
            PolicyName: 'p',
            PolicyDocument: {
              Version: '2012-10-17',
              Statement: [
                statement('Allow', 'sqs:*'),
                statement('Deny', 'sqs:DeleteQueue'),
                statement('Allow', 'kms:CreateGrant', { StringEquals: { 'aws:ResourceTag/team': 'a' } }),
              ],
            },
          },
        ],
      },
    },
  });
  iam = new IAMClient(stack.client);
});
afterAll(() => stack.close());

const simulate = async (actions: string[], context: Record<string, string> = {}) => {
  const { EvaluationResults = [] } = await iam.send(
    new SimulatePrincipalPolicyCommand({
      PolicySourceArn: `arn:aws:iam::000000000000:role/${stack.physicalId('Role')}`,
      ActionNames: actions,
      ResourceArns: [QUEUE],
      ...(Object.keys(context).length > 0 && {
        ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
          ContextKeyName,
          ContextKeyType: 'string' as const,
          ContextKeyValues: [value],
        })),
      }),
    }),
  );
  return EvaluationResults.map(({ EvalActionName, EvalDecision }) => [EvalActionName, EvalDecision]);
};

it('decides each action by the policies of the role', async () => {
  expect(await simulate(['sqs:SendMessage', 'sqs:DeleteQueue', 's3:GetObject'])).toEqual([
    ['sqs:SendMessage', 'allowed'],
    ['sqs:DeleteQueue', 'explicitDeny'],
    ['s3:GetObject', 'implicitDeny'],
  ]);
});

it('sees the circumstances that are given', async () => {
  expect(await simulate(['kms:CreateGrant'])).toEqual([['kms:CreateGrant', 'implicitDeny']]);
  expect(await simulate(['kms:CreateGrant'], { 'aws:ResourceTag/team': 'a' })).toEqual([
    ['kms:CreateGrant', 'allowed'],
  ]);
});

it('a condition key that is a boolean must be declared as one', async () => {
  const asked = simulate(['kms:CreateGrant'], { 'kms:GrantIsForAWSResource': 'true' });
  await expect(asked).rejects.toThrow(/ContextKeyType must be boolean, is string/);
});

it('knows no role of another name', async () => {
  const role = await iam.send(new GetRoleCommand({ RoleName: stack.physicalId('Role') }));
  expect(role.Role).toMatchObject({
    Path: '/',
    RoleName: stack.physicalId('Role'),
    RoleId: expect.stringMatching(/^AROA[0-9A-F]{17}$/),
    Arn: `arn:aws:iam::000000000000:role/${stack.physicalId('Role')}`,
    CreateDate: expect.any(Date),
  });
  expect(Math.abs(Date.now() - role.Role!.CreateDate!.getTime())).toBeLessThan(3_600_000);
  await expect(iam.send(new GetRoleCommand({ RoleName: 'nobody' }))).rejects.toThrow(
    'The role with name nobody cannot be found.',
  );
  await expect(
    iam.send(
      new SimulatePrincipalPolicyCommand({
        PolicySourceArn: 'arn:aws:iam::000000000000:role/nobody',
        ActionNames: ['sqs:SendMessage'],
      }),
    ),
  ).rejects.toThrow('cannot be found');
});
