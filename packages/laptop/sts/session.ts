import { roleIdOf } from '../iam/role-id.ts';
import type { Site } from '../kernel/service.ts';

/** A session of a role as AWS names it. */
export function toSession(
  { partition, account }: Site,
  { roleArn, name }: { readonly roleArn: string; readonly name: string },
): { readonly Arn: string; readonly AssumedRoleId: string } {
  const role = roleArn.split('/').at(-1) ?? '';
  return {
    Arn: `arn:${partition}:sts::${account}:assumed-role/${role}/${name}`,
    AssumedRoleId: `${roleIdOf(role)}:${name}`,
  };
}
