import { describe, expect, it } from 'vitest';
import { decider } from '../../iam/decide.ts';
import { parsePolicy } from '../../iam/policy-document.ts';
import type { Permission } from '../../kernel/permission.ts';

const decide = (statements: unknown, permission: Permission) =>
  decider([parsePolicy('p', { Version: '2012-10-17', Statement: statements })])(permission);
const READ: Permission = { action: 's3:GetObject', resource: 'arn:aws:s3:::b/runs/1' };
const K = 'aws:RequestTag/k';
const L = 'aws:RequestTag/l';
const ALLOW = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/runs/*' };

describe('a policy', () => {
  it('allows nothing that it does not name', () => {
    expect(decide([], READ)).toBe('implicit-deny');
    expect(decide(ALLOW, { ...READ, resource: 'arn:aws:s3:::b/state/1' })).toBe('implicit-deny');
    expect(decide(ALLOW, { ...READ, action: 's3:GetObjectVersion' })).toBe('implicit-deny');
  });

  it('allows what one of its statements names, actions in any case', () => {
    expect(decide(ALLOW, READ)).toBe('allowed');
    expect(decide({ ...ALLOW, Action: ['S3:getobject', 's3:PutObject'] }, READ)).toBe('allowed');
    expect(decide({ ...ALLOW, Action: 's3:*', Resource: '*' }, READ)).toBe('allowed');
  });

  it('denies over every Allow', () => {
    expect(decide([{ Effect: 'Deny', Action: 's3:*', Resource: '*' }, ALLOW], READ)).toBe('explicit-deny');
  });

  it.each([
    [{ StringEquals: { [K]: 'v' } }, { [K]: 'v' }, true],
    [{ StringEquals: { [K]: ['u', 'v'] } }, { [K]: 'v' }, true],
    [{ StringEquals: { [K]: 'v' } }, { [K]: 'w' }, false],
    [{ StringEquals: { [K]: 'v' } }, {}, false],
    [{ StringEquals: { [K]: 'v', [L]: 'm' } }, { [K]: 'v' }, false],
    [{ StringNotEquals: { [K]: ['u', 'v'] } }, { [K]: 'w' }, true],
    [{ StringNotEquals: { [K]: ['u', 'v'] } }, { [K]: 'v' }, false],
    [{ StringNotEquals: { [K]: 'v' } }, {}, true],
    [{ StringLike: { [K]: 'a*' } }, { [K]: 'abc' }, true],
    [{ StringLike: { [K]: 'a*' } }, {}, false],
    [{ Null: { [K]: 'false' } }, { [K]: '' }, true],
    [{ Null: { [K]: 'false' } }, {}, false],
    [{ Null: { [K]: true } }, {}, true],
    [{ StringEquals: { [K]: 'v' }, Null: { [L]: 'true' } }, { [K]: 'v', [L]: 'm' }, false],
    [{ StringEquals: { toString: 'x' } }, {}, false],
  ])('under the condition %j, with %j: %s', (Condition, context, isAllowed) => {
    const decision = decide({ ...ALLOW, Condition }, { ...READ, context });
    expect(decision).toBe(isAllowed ? 'allowed' : 'implicit-deny');
  });

  it('names by exception', () => {
    const others = { Effect: 'Allow', NotAction: ['s3:Get*', 's3:List*'], Resource: '*' };
    expect(decide(others, READ)).toBe('implicit-deny');
    expect(decide(others, { ...READ, action: 's3:PutObject' })).toBe('allowed');
    const elsewhere = { Effect: 'Deny', Action: 's3:*', NotResource: 'arn:aws:s3:::b/runs/*' };
    const all = { Effect: 'Allow', Action: 's3:*', Resource: '*' };
    expect(decide([all, elsewhere], READ)).toBe('allowed');
    expect(decide([all, elsewhere], { ...READ, resource: 'arn:aws:s3:::b/state/1' })).toBe('explicit-deny');
  });

  it.each([
    ['StringEqualsIgnoreCase', 'V', 'v', true],
    ['StringNotEqualsIgnoreCase', 'V', 'v', false],
    ['StringNotLike', 'a*', 'abc', false],
    ['NumericEquals', '10', '10.0', true],
    ['NumericLessThan', 10, '9.5', true],
    ['NumericLessThanEquals', '10', '10', true],
    ['NumericGreaterThan', '10', '9', false],
    ['NumericGreaterThanEquals', '10', '9', false],
    ['NumericNotEquals', '10', '9', true],
    ['DateLessThan', '2026-01-02T00:00:00Z', '2026-01-01T23:59:59Z', true],
    ['DateGreaterThan', '2026-01-02', '2026-01-01T23:59:59Z', false],
    ['DateEquals', '0', '1970-01-01T00:00:00Z', true],
    ['Bool', true, 'true', true],
    ['Bool', 'True', 'true', true],
    ['BinaryEquals', 'QmluYXJ5', 'QmluYXJ5', true],
    ['IpAddress', '10.0.0.0/8', '10.20.30.40', true],
    ['IpAddress', '10.0.0.0/8', '11.0.0.1', false],
    ['IpAddress', '2001:db8::/32', '2001:db8::1', true],
    ['NotIpAddress', ['10.0.0.0/8', '11.0.0.1'], '11.0.0.1', false],
    ['ArnNotEquals', 'arn:aws:s3:::*', 'arn:aws:s3:::b', false],
  ])('%s %j holds for %s: %s', (operator, wanted, value, isAllowed) => {
    const Condition = { [operator]: { 'aws:RequestTag/k': wanted } };
    const decision = decide({ ...ALLOW, Condition }, { ...READ, context: { 'aws:RequestTag/k': value } });
    expect(decision).toBe(isAllowed ? 'allowed' : 'implicit-deny');
  });

  it.each([
    ['StringEqualsIfExists', undefined, true],
    ['StringEqualsIfExists', ['a'], true],
    ['StringEqualsIfExists', ['z'], false],
    ['ForAllValues:StringEquals', undefined, true],
    ['ForAllValues:StringEquals', ['a', 'b'], true],
    ['ForAllValues:StringEquals', ['a', 'z'], false],
    ['ForAnyValue:StringEquals', undefined, false],
    ['ForAnyValue:StringEquals', ['a', 'z'], true],
    ['ForAnyValue:StringEquals', ['y', 'z'], false],
    ['ForAnyValue:StringNotEquals', ['a', 'z'], true],
    ['ForAllValues:StringNotEquals', ['a', 'z'], false],
    ['ForAnyValue:StringNotEquals', undefined, false],
  ])('%s [a, b] holds for %j: %s', (operator, values, isAllowed) => {
    const Condition = { [operator]: { 'aws:TagKeys': ['a', 'b'] } };
    const context = values === undefined ? {} : { 'aws:TagKeys': values };
    expect(decide({ ...ALLOW, Condition }, { ...READ, context })).toBe(
      isAllowed ? 'allowed' : 'implicit-deny',
    );
  });

  it.each([
    [{ ...ALLOW, NotResource: 'arn:aws:s3:::x' }, 'Resource and NotResource'],
    [{ ...ALLOW, NotAction: 's3:*' }, 'Action and NotAction'],
    [{ ...ALLOW, Effect: 'allow' }, 'Syntax errors in policy.'],
    [{ ...ALLOW, Actions: 's3:*' }, 'Syntax errors in policy.'],
    [{ Effect: 'Allow', Action: 's3:*' }, 'Policy statement must contain resources.'],
    [{ Effect: 'Allow', Resource: '*' }, 'Policy statement must contain actions.'],
    [
      { ...ALLOW, Action: 'GetObject' },
      'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
    ],
    [{ ...ALLOW, Action: 's3:Get:Object' }, 'Actions/Condition can contain only one colon.'],
    [{ ...ALLOW, Action: '*:GetObject' }, 'Vendor * is not valid'],
    [{ ...ALLOW, Resource: 'b/runs/*' }, 'Resource b/runs/* must be in ARN format or "*".'],
    [{ ...ALLOW, Resource: 'arn:aws:*' }, 'must be in ARN format'],
    [
      { ...ALLOW, Resource: 'arn:aws:s*:::b' },
      'Resource vendor must be fully qualified and cannot contain regexes.',
    ],
    [{ ...ALLOW, Resource: 'arn::s3:::b' }, 'Partition "" is not valid for resource "arn::s3:::b".'],
    [{ ...ALLOW, Resource: 'arn:aws:s3:us-east-1::b' }, 'can not contain region information.'],
    [{ ...ALLOW, Sid: 'read runs' }, 'Statement IDs (SID) must be alpha-numeric.'],
    [
      [
        { ...ALLOW, Sid: 'a' },
        { ...ALLOW, Sid: 'a' },
      ],
      'Statement IDs (SID) in a single policy must be unique.',
    ],
    [{ ...ALLOW, Principal: '*' }, 'Syntax errors in policy.'],
    [{ ...ALLOW, Condition: { StringEqual: { k: 'v' } } }, 'Invalid Condition type : StringEqual'],
    [{ ...ALLOW, Condition: { NullIfExists: { k: 'true' } } }, 'Invalid Condition type : NullIfExists'],
    [{ ...ALLOW, Condition: { 'ForSomeValues:StringEquals': { k: 'v' } } }, 'Invalid Condition type'],
    [{ ...ALLOW, Condition: { NumericEquals: { k: 'ten' } } }, 'NumericEquals cannot compare "ten"'],
    [{ ...ALLOW, Condition: { DateEquals: { k: 'soon' } } }, 'DateEquals cannot compare "soon"'],
    [{ ...ALLOW, Condition: { IpAddress: { k: '10.0.0.0/33' } } }, 'IpAddress cannot compare'],
    [{ ...ALLOW, Condition: { Bool: { k: 'yes' } } }, 'Bool cannot compare "yes"'],
    [{ ...ALLOW, Condition: { Null: { k: 'no' } } }, 'Null cannot compare "no"'],
    [
      { ...ALLOW, Resource: 'arn:aws:s3:::b/${aws:username}' },
      'no policy variables: write what ${aws:username}',
    ],
    [
      { ...ALLOW, Effect: 'Deny', Condition: { StringEquals: { 'aws:SourceVpc': 'v' } } },
      'aws:SourceVpc has no value',
    ],
    [{ ...ALLOW, Condition: { StringNotEquals: { 'aws:SourceVpc': 'v' } } }, 'aws:SourceVpc has no value'],
    [{ ...ALLOW, Condition: { Null: { 'aws:SourceVpc': 'true' } } }, 'aws:SourceVpc has no value'],
  ])('is refused: %j', (statement, message) => {
    expect(() => decide(statement, READ)).toThrow(
      expect.objectContaining({
        code: 'MalformedPolicyDocument',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('may have a condition that is never met here, where that allows less', () => {
    const Condition = { StringEquals: { 'aws:SourceVpc': 'v' } };
    expect(decide({ ...ALLOW, Condition }, READ)).toBe('implicit-deny');
  });

  it('of the older version is a policy too', () => {
    expect(parsePolicy('p', { Version: '2008-10-17', Statement: ALLOW }).Statement).toHaveLength(1);
    expect(() => parsePolicy('p', { Version: '2020-01-01', Statement: ALLOW })).toThrow('Syntax errors');
  });
});
