import { expect, it } from 'vitest';
import { parseTrustPolicy, trusts, trustsAccount } from '../../iam/trust-policy.ts';

const ACCOUNT = '000000000000';
const MACHINE = `arn:aws:states:us-east-1:${ACCOUNT}:stateMachine:m`;
const TRUST = { Effect: 'Allow', Principal: { Service: 'states.amazonaws.com' }, Action: 'sts:AssumeRole' };
const assumes = (Statement: unknown, service = 'states.amazonaws.com') =>
  trusts(parseTrustPolicy('t', { Statement }), { service, sourceArn: MACHINE }, ACCOUNT);

it.each([
  [TRUST, true],
  [{ ...TRUST, Principal: { Service: ['lambda.amazonaws.com', 'states.amazonaws.com'] } }, true],
  [{ ...TRUST, Principal: { Service: 'lambda.amazonaws.com' } }, false],
  [{ ...TRUST, Principal: { AWS: ACCOUNT } }, false],
  [{ ...TRUST, Action: 'sts:TagSession' }, false],
  [[TRUST, { ...TRUST, Effect: 'Deny' }], false],
  [{ ...TRUST, Condition: { StringEquals: { 'aws:SourceAccount': ACCOUNT } } }, true],
  [{ ...TRUST, Condition: { StringEquals: { 'aws:SourceAccount': '1' } } }, false],
  [{ ...TRUST, Condition: { ArnLike: { 'aws:SourceArn': `${MACHINE.slice(0, -1)}*` } } }, true],
  [{ ...TRUST, Condition: { ArnLike: { 'aws:SourceArn': `${MACHINE}2` } } }, false],
  [[], false],
])('Step Functions may act as a role with %j: %s', (statements, isTrusted) => {
  expect(assumes(statements)).toBe(isTrusted);
});

it('people who sign in elsewhere may be named', () => {
  const Federated = 'arn:aws:iam::000000000000:oidc-provider/token.actions.githubusercontent.com';
  const Condition = { StringLike: { 'token.actions.githubusercontent.com:sub': 'repo:me/*' } };
  const people = { ...TRUST, Principal: { Federated }, Action: 'sts:AssumeRoleWithWebIdentity', Condition };
  expect(assumes([people, TRUST])).toBe(true);
});

it.each([
  [{ ...TRUST, Principal: { Service: 'lambda.amazon.com' } }, 'Invalid principal in policy: "SERVICE"'],
  [{ ...TRUST, Principal: undefined }, 'Principal'],
  [{ ...TRUST, Condition: { StringEquals: { 'sts:ExternalId': 'x' } } }, 'sts:ExternalId has no value'],
  [{ ...TRUST, Resource: '*' }, 'Resource'],
  [
    { ...TRUST, Action: 'lambda:InvokeFunction' },
    'AssumeRole policy may only specify STS AssumeRole actions.',
  ],
])('is refused: %j', (statement, message) => {
  expect(() => assumes(statement)).toThrow(message);
});

it.each([
  [{ ...TRUST, Principal: { AWS: ACCOUNT } }, true],
  [{ ...TRUST, Principal: { AWS: [`arn:aws:iam::${ACCOUNT}:root`] } }, true],
  [{ ...TRUST, Principal: { AWS: 'arn:aws:iam::111111111111:root' } }, false],
  [{ ...TRUST, Principal: { AWS: ACCOUNT }, Action: 'sts:TagSession' }, false],
  [TRUST, false],
])('people of the account may act as a role with %j: %s', (statement, isTrusted) => {
  expect(trustsAccount(parseTrustPolicy('t', { Statement: statement }), ACCOUNT)).toBe(isTrusted);
});
