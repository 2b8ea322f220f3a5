import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { Permission } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import { listKeys, unknownKey } from './condition-keys.ts';
import { contextOf, statementMatcher } from './decide.ts';
import {
  parseDocument,
  PolicyVersion,
  resourceFields,
  statementFields,
  statementsOf,
} from './policy-document.ts';
import { type Caller, exceptionMatcher, isService, Principal, principalMatcher } from './principal.ts';

const Statement = z
  .strictObject({
    ...statementFields,
    ...resourceFields,
    Principal: Principal.optional(),
    NotPrincipal: Principal.optional(),
  })
  .refine(
    ({ Principal: named, NotPrincipal: excepted }) => (named === undefined) !== (excepted === undefined),
    {
      error: 'Missing required field Principal: give Principal or NotPrincipal',
    },
  );

/** The policy of a bucket, queue, topic, function or key. */
const ResourcePolicy = z.strictObject({
  Version: PolicyVersion,
  Id: z.string().optional(),
  Statement: statementsOf(Statement),
});
type ResourcePolicy = z.infer<typeof ResourcePolicy>;

/**
 * Reads the policy of a resource.
 *
 * @throws {AwsError} `code`, naming what this stack cannot enforce: an element, an operator, a principal or a condition key
 */
export function parseResourcePolicy(name: string, text: string, code: string): ResourcePolicy {
  const policy = parseDocument('resource', ResourcePolicy, name, parseText(name, text, code), code);
  for (const { Condition = {} } of policy.Statement) {
    const key = unknownKey(Condition);
    if (key === undefined) continue;
    throw new AwsError(
      code,
      `The local stack cannot enforce the policy ${name}: the condition key ${key} has no value here. It knows ${listKeys()}`,
    );
  }
  return policy;
}

function parseText(name: string, text: string, code: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AwsError(code, `The policy ${name} is not JSON: ${String(error)}`);
  }
}

/** Decision of a resource's own policy for a caller. */
export interface ResourceVerdict {
  readonly denies: boolean;
  /** The policy is enough to allow the caller. */
  readonly allows: boolean;
  /** It delegates to the policies of the account. */
  readonly delegates: boolean;
}

/** A resource's policy made ready to be asked many times. */
export function resourceDecider(
  policy: ResourcePolicy,
): (caller: Caller, permission: Permission, site: Site, nowMs: number) => ResourceVerdict {
  const statements = policy.Statement.map((statement) => ({
    effect: statement.Effect,
    applies: statementMatcher(statement),
    naming:
      statement.NotPrincipal === undefined
        ? principalMatcher(statement.Principal ?? {})
        : exceptionMatcher(statement.NotPrincipal),
  }));
  return (caller, permission, site, nowMs) => {
    const context = contextOf({ ...circumstances(caller, site, nowMs), ...permission.context });
    const found = statements
      .map(({ effect, applies, naming }) => ({
        effect,
        named: applies(permission, context) ? naming(caller) : undefined,
      }))
      .filter(({ named }) => named !== undefined);
    const says = (effect: 'Allow' | 'Deny', named: 'direct' | 'account'): boolean =>
      found.some((each) => each.effect === effect && each.named === named);
    return {
      denies: found.some(({ effect }) => effect === 'Deny'),
      allows: says('Allow', 'direct'),
      delegates: says('Allow', 'account'),
    };
  };
}

/** Services older than `aws:SourceAccount`, which the policy that SNS gives new topics relies on. */
const TELL_OWNER: ReadonlySet<string> = new Set(['cloudwatch.amazonaws.com', 's3.amazonaws.com']);

/**
 * Condition keys that every call has. `aws:SecureTransport` is always true, although this stack speaks plain HTTP on the
 * loopback interface: a policy that demands TLS is met.
 */
export function circumstances(
  caller: Caller,
  { partition, account, region }: Site,
  nowMs: number,
): Readonly<Record<string, string>> {
  const common = {
    'aws:SecureTransport': 'true',
    'aws:PrincipalIsAWSService': String(isService(caller)),
    'aws:RequestedRegion': region,
    'aws:CurrentTime': new Date(nowMs).toISOString(),
    'aws:EpochTime': String(Math.floor(nowMs / 1000)),
  };
  if (isService(caller))
    return {
      ...common,
      'aws:SourceArn': caller.sourceArn,
      'aws:SourceAccount': account,
      ...(TELL_OWNER.has(caller.service) ? { 'aws:SourceOwner': account } : {}),
    };
  const owner = `arn:${partition}:iam::${account}:root`;
  return { ...common, 'aws:PrincipalAccount': account, 'aws:PrincipalArn': caller.roleArn ?? owner };
}
