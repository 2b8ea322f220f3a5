import { describe, expect, it } from 'vitest';
import { judge } from '../../iam/judge.ts';
import type { Caller } from '../../iam/principal.ts';
import { parseResourcePolicy, resourceDecider } from '../../iam/resource-policy.ts';
import type { Permission } from '../../kernel/permission.ts';
import { localSite } from '../support/local-gateway.ts';

const account = localSite.account;
const RULE = `arn:aws:events:us-east-1:${account}:rule/r`;
const rule: Caller = { service: 'events.amazonaws.com', sourceArn: RULE };
const role: Caller = { account, roleArn: `arn:aws:iam::${account}:role/r` };
const owner: Caller = { account, roleArn: undefined };
const SEND: Permission = { action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:0:q' };
const ALLOW = { Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage', Resource: '*' };

const parse = (Statement: unknown) => parseResourcePolicy('of q', JSON.stringify({ Statement }), 'Malformed');
const ask = (Statement: unknown, caller: Caller, permission = SEND) =>
  resourceDecider(parse(Statement))(caller, permission, localSite, 0);
const lets = (Statement: unknown, caller: Caller, own: 'allowed' | 'implicit-deny' = 'implicit-deny') =>
  judge(SEND, caller, own, ask(Statement, caller)) === null;

describe('a service', () => {
  it.each([
    [{ Service: 'events.amazonaws.com' }, true],
    [{ Service: ['sns.amazonaws.com', 'events.amazonaws.com'] }, true],
    [{ Service: 'sns.amazonaws.com' }, false],
    [{ AWS: account }, false],
    [{ AWS: '*' }, true],
    ['*', true],
  ])('is let in by a policy that names %j: %s', (Principal, isAllowed) => {
    expect(lets({ ...ALLOW, Principal }, rule)).toBe(isAllowed);
  });

  it.each([
    [{ ArnEquals: { 'aws:SourceArn': RULE } }, true],
    [{ ArnLike: { 'AWS:SourceArn': 'arn:aws:events:*:*:rule/*' } }, true],
    // Stars end at colons.
    [{ ArnLike: { 'aws:SourceArn': 'arn:aws:events:*:rule/*' } }, false],
    [{ ArnEquals: { 'aws:SourceArn': `${RULE}2` } }, false],
    [{ ArnNotLike: { 'aws:SourceArn': RULE } }, false],
    [{ StringEquals: { 'aws:SourceAccount': account } }, true],
    [{ StringEquals: { 'aws:SourceAccount': '999999999999' } }, false],
    [{ Bool: { 'aws:PrincipalIsAWSService': 'true' } }, true],
    [{ Bool: { 'aws:SecureTransport': [true] } }, true],
    [{ Bool: { 'aws:SecureTransport': 'false' } }, false],
  ])('under the condition %j: %s', (Condition, isAllowed) => {
    expect(lets({ ...ALLOW, Condition }, rule)).toBe(isAllowed);
  });

  it('is kept out where nothing lets it in, and free where nothing is known', () => {
    expect(judge(SEND, rule, 'implicit-deny', 'no policy')).toContain('no resource-based policy allows');
    expect(judge(SEND, rule, 'implicit-deny', 'resource unknown')).toBeNull();
  });
});

describe('a role', () => {
  it('needs its own policy or the resource’s, and neither’s Deny', () => {
    expect(lets(ALLOW, role)).toBe(true);
    expect(lets([], role)).toBe(false);
    expect(lets([], role, 'allowed')).toBe(true);
    expect(lets({ ...ALLOW, Effect: 'Deny' }, role, 'allowed')).toBe(false);
  });

  it.each([
    [{ AWS: `arn:aws:iam::${account}:role/r` }, true],
    [{ AWS: `arn:aws:iam::${account}:role/other` }, false],
    // Naming the account leaves it to the role's own policies, which say nothing.
    [{ AWS: `arn:aws:iam::${account}:root` }, false],
    [{ AWS: account }, false],
  ])('named as %j: %s', (Principal, isAllowed) => {
    expect(lets({ ...ALLOW, Principal }, role)).toBe(isAllowed);
  });

  it('of an account that is denied is denied', () => {
    expect(lets({ ...ALLOW, Effect: 'Deny', Principal: { AWS: account } }, role, 'allowed')).toBe(false);
  });
});

it('the account’s owner may do all that is not denied to every principal', () => {
  expect(lets([], owner, 'allowed')).toBe(true);
  expect(lets({ ...ALLOW, Effect: 'Deny' }, owner, 'allowed')).toBe(false);
});

it('a key obeys its own policy alone, which may leave roles to theirs', () => {
  const use: Permission = { action: 'kms:Decrypt', resource: 'arn:aws:kms:us-east-1:0:key/k' };
  const root = { Effect: 'Allow', Principal: { AWS: account }, Action: 'kms:*', Resource: '*' };
  const through = (Statement: unknown, own: 'allowed' | 'implicit-deny') =>
    judge(use, role, own, ask(Statement, role, use));

  expect(through(root, 'allowed')).toBeNull();
  expect(through(root, 'implicit-deny')).toContain('no identity-based policy');
  expect(through([], 'allowed')).toContain('no resource-based policy');
});

const ROLE_ARN = `arn:aws:iam::${account}:role/r`;
const SESSION_ARN = `arn:aws:sts::${account}:assumed-role/r/fn`;

it('a session of a role may be named by itself', () => {
  const session: Caller = { account, roleArn: ROLE_ARN, sessionName: 'fn' };
  const named = { ...ALLOW, Principal: { AWS: SESSION_ARN } };
  expect(lets(named, session)).toBe(true);
  expect(lets(named, { ...session, sessionName: 'other' })).toBe(false);
});

it.each([
  [[account, ROLE_ARN, SESSION_ARN], true],
  // IAM wants the account, the role and the session.
  [[ROLE_ARN], false],
  [[account, ROLE_ARN], false],
  [[account], false],
])('NotPrincipal %j excepts a session from a Deny: %s', (AWS, isExcepted) => {
  const session: Caller = { account, roleArn: ROLE_ARN, sessionName: 'fn' };
  const { Principal: _, ...statement } = ALLOW;
  const deny = { ...statement, Effect: 'Deny', NotPrincipal: { AWS } };
  expect(lets([ALLOW, deny], session)).toBe(isExcepted);
});

it('NotPrincipal excepts services and the account’s owner by their names', () => {
  const { Principal: _, ...statement } = ALLOW;
  const deny = (NotPrincipal: unknown) => [ALLOW, { ...statement, Effect: 'Deny', NotPrincipal }];
  expect(lets(deny({ Service: 'events.amazonaws.com' }), rule)).toBe(true);
  expect(lets(deny({ Service: 'sns.amazonaws.com' }), rule)).toBe(false);
  expect(lets(deny({ AWS: account }), owner)).toBe(true);
  expect(lets(deny({ AWS: '999999999999' }), owner)).toBe(false);
});

it('a permissions boundary limits a role whatever lets it in', () => {
  const says = ask(ALLOW, role);
  expect(judge(SEND, role, 'allowed', says, 'allowed')).toBeNull();
  expect(judge(SEND, role, 'allowed', says, 'implicit-deny')).toBe(
    'because no permissions boundary allows the sqs:SendMessage action',
  );
  expect(judge(SEND, role, 'allowed', says, 'explicit-deny')).toContain('a permissions boundary');
});

it.each([
  [{ ...ALLOW, NotPrincipal: '*' }, 'Principal'],
  [{ ...ALLOW, Principal: undefined }, 'Missing required field Principal'],
  [{ ...ALLOW, Principal: { CanonicalUser: 'x' } }, 'Principal'],
  [{ ...ALLOW, Principal: { Service: 'events.amazon.com' } }, 'Principal'],
  [{ ...ALLOW, NotAction: 'sqs:*' }, 'NotAction'],
  [
    { ...ALLOW, Condition: { StringEqual: { 'aws:SourceArn': RULE } } },
    'Invalid Condition type : StringEqual',
  ],
  [
    { ...ALLOW, Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o' } } },
    'aws:PrincipalOrgID has no value',
  ],
])('what the stack cannot enforce is refused: %j', (statement, message) => {
  expect(() => parse(statement)).toThrow(message);
});
