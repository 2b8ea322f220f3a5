import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../local/gateway/permission.ts';
import { decider } from '../../../local/iam/decide.ts';
import { parsePolicy } from '../../../local/iam/policy-document.ts';

const decide = (statements: unknown, permission: Permission) =>
  decider([parsePolicy('p', { Version: '2012-10-17', Statement: statements })])(permission);
const READ: Permission = { action: 's3:GetObject', resource: 'arn:aws:s3:::b/runs/1' };
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
    [{ StringEquals: { k: 'v' } }, { k: 'v' }, true],
    [{ StringEquals: { k: ['u', 'v'] } }, { k: 'v' }, true],
    [{ StringEquals: { k: 'v' } }, { k: 'w' }, false],
    [{ StringEquals: { k: 'v' } }, {}, false],
    [{ StringEquals: { k: 'v', l: 'm' } }, { k: 'v' }, false],
    [{ StringNotEquals: { k: ['u', 'v'] } }, { k: 'w' }, true],
    [{ StringNotEquals: { k: ['u', 'v'] } }, { k: 'v' }, false],
    [{ StringNotEquals: { k: 'v' } }, {}, true],
    [{ StringLike: { k: 'a*' } }, { k: 'abc' }, true],
    [{ StringLike: { k: 'a*' } }, {}, false],
    [{ Null: { k: 'false' } }, { k: '' }, true],
    [{ Null: { k: 'false' } }, {}, false],
    [{ Null: { k: true } }, {}, true],
    [{ StringEquals: { k: 'v' }, Null: { l: 'true' } }, { k: 'v', l: 'm' }, false],
    [{ StringEquals: { toString: 'x' } }, {}, false],
  ])('under the condition %j, with %j: %s', (Condition, context, isAllowed) => {
    const decision = decide({ ...ALLOW, Condition }, { ...READ, context });
    expect(decision).toBe(isAllowed ? 'allowed' : 'implicit-deny');
  });

  it.each([
    { ...ALLOW, NotResource: 'x' },
    { Effect: 'Allow', NotAction: 's3:GetObject', Resource: '*' },
    { ...ALLOW, Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } } },
    { ...ALLOW, Effect: 'allow' },
  ])('that the stack cannot enforce is refused: %j', (statement) => {
    expect(() => decide(statement, READ)).toThrow(
      expect.objectContaining({ code: 'MalformedPolicyDocument' }),
    );
  });
});
