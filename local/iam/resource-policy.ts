import * as z from 'zod';
import { AwsError } from '../gateway/aws-error.ts';
import type { Permission } from '../gateway/permission.ts';
import type { Site } from '../gateway/service.ts';
import { contextOf, statementMatcher } from './decide.ts';
import { OneOrMore, parseDocument, statementFields, statementsOf } from './policy-document.ts';
import type { Caller } from './principal.ts';
import { isService, Principal, principalMatcher } from './principal.ts';

const Statement = z.strictObject({ ...statementFields, Principal, Resource: OneOrMore });

/** The policy of a bucket, queue, topic, function or key. */
const ResourcePolicy = z.strictObject({
  Version: z.enum(['2008-10-17', '2012-10-17']).optional(),
  Id: z.string().optional(),
  Statement: statementsOf(Statement),
});
type ResourcePolicy = z.infer<typeof ResourcePolicy>;

/** Condition keys that have a value here; on any other a policy would decide otherwise than in AWS. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  'aws:principalaccount',
  'aws:principalarn',
  'aws:principalisawsservice',
  'aws:securetransport',
  'aws:sourceaccount',
  'aws:sourcearn',
  'aws:sourceowner',
  'kms:calleraccount',
  'kms:viaservice',
  's3:prefix',
  's3:x-amz-server-side-encryption',
  's3:x-amz-server-side-encryption-aws-kms-key-id',
]);

/**
 * Reads the policy of a resource.
 *
 * @throws {AwsError} `code`, naming what this stack cannot enforce: an element, an operator, a principal or a condition key
 */
export function parseResourcePolicy(name: string, text: string, code: string): ResourcePolicy {
  const policy = parseDocument(ResourcePolicy, name, parseText(name, text, code), code);
  for (const { Condition = {} } of policy.Statement) {
    for (const key of Object.values(Condition).flatMap((values) => Object.keys(values ?? {}))) {
      if (KNOWN_KEYS.has(key.toLowerCase())) continue;
      const known = [...KNOWN_KEYS].join(', ');
      throw new AwsError(
        code,
        `The local stack cannot enforce the policy ${name}: the condition key ${key} has no value here. It knows ${known}`,
      );
    }
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

/** What a resource's own policy says to a caller. */
export interface ResourceVerdict {
  readonly denies: boolean;
  /** It lets the caller in whatever else says nothing. */
  readonly allows: boolean;
  /** It leaves the caller to the policies of its account. */
  readonly delegates: boolean;
}

/** A resource's policy made ready to be asked many times. */
export function resourceDecider(
  policy: ResourcePolicy,
): (caller: Caller, permission: Permission, site: Site) => ResourceVerdict {
  const statements = policy.Statement.map((statement) => ({
    effect: statement.Effect,
    applies: statementMatcher(statement),
    naming: principalMatcher(statement.Principal),
  }));
  return (caller, permission, site) => {
    const context = contextOf({ ...circumstances(caller, site), ...permission.context });
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
 * What conditions can ask about any call. `aws:SecureTransport` is always true: AWS's clients reach AWS by TLS, and that this stack
 * speaks plain HTTP on the loopback interface is its own way of listening. A policy that demands TLS is met.
 */
export function circumstances(
  caller: Caller,
  { partition, account }: Site,
): Readonly<Record<string, string>> {
  const common = { 'aws:SecureTransport': 'true', 'aws:PrincipalIsAWSService': String(isService(caller)) };
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
