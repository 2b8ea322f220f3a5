import type { Permission } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import type { Decision } from './decide.ts';
import { type Caller, isService } from './principal.ts';
import type { ResourceVerdict } from './resource-policy.ts';

/** The decision of a resource's own policy. */
export type ResourceSays = 'resource unknown' | 'no policy' | ResourceVerdict;

/**
 * Puts together what the policies of a caller and of a resource say, in one account: a Deny in either is final, an Allow in either
 * is enough. There are two exceptions: services have no policies, so the resource must let them in; and a key obeys only its own
 * policy, which may delegate to the callers' policies. A permissions boundary always limits a role.
 *
 * @returns null if it's allowed, else the last part of AWS's refusal
 */
export function judge(
  { action, resource }: Pick<Permission, 'action' | 'resource'>,
  caller: Caller,
  own: Decision,
  says: ResourceSays,
  boundary: Decision = 'allowed',
): string | null {
  const unallowed = (kind: 'identity' | 'resource'): string =>
    `because no ${kind}-based policy allows the ${action} action`;
  if (own === 'explicit-deny') return 'with an explicit deny in an identity-based policy';
  if (typeof says === 'object' && says.denies) return 'with an explicit deny in a resource-based policy';
  if (boundary === 'explicit-deny') return 'with an explicit deny in a permissions boundary';
  if (boundary === 'implicit-deny') return `because no permissions boundary allows the ${action} action`;
  if (typeof says === 'object' && says.allows) return null;
  if (isService(caller)) return says === 'resource unknown' ? null : unallowed('resource');
  if (isKey(resource) && typeof says === 'object' && !says.delegates) return unallowed('resource');
  return own === 'allowed' ? null : unallowed('identity');
}

function isKey(arn: string): boolean {
  return arn.split(':')[2] === 'kms';
}

/** In AWS's own words. */
export function toRefusal(
  { partition, account }: Site,
  caller: Caller,
  { action, resource }: Permission,
  why: string,
): string {
  const role = isService(caller) ? undefined : caller.roleArn?.split('/').at(-1);
  const user = isService(caller)
    ? caller.service
    : role === undefined
      ? `arn:${partition}:iam::${account}:root`
      : `arn:${partition}:sts::${account}:assumed-role/${role}/${caller.sessionName ?? ''}`;
  return `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${why}`;
}
