import * as z from 'zod';
import { roleIdOf } from '../../iam/role-store.ts';
import type { AssumedRoles } from '../../iam/service.ts';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Site } from '../../kernel/service.ts';

/**
 * `AssumeRole` of the account's owner, as which every caller without a role works here: in AWS it would be a user of the account, since its
 * root may assume none. The credentials do not expire: `Expiration` is returned and not enforced.
 */
export const assumeRole = (
  people: AssumedRoles,
  { site, clock }: { readonly site: Site; readonly clock: Clock },
) =>
  action('AssumeRole', {
    input: z.strictObject({
      RoleArn: z.string(),
      RoleSessionName: z.string(),
      DurationSeconds: z.coerce.number().default(3600),
    }),
    run: ({ RoleArn, RoleSessionName, DurationSeconds }) => {
      const credentials = people.assume(RoleArn, RoleSessionName);
      if (credentials === undefined)
        throw new AwsError(
          'AccessDenied',
          `User: arn:${site.partition}:iam::${site.account}:root is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`,
          { statusCode: 403 },
        );
      const { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey } = credentials;
      const expires = new Date(clock.now() + DurationSeconds * 1000).toISOString();
      return {
        Credentials: { AccessKeyId, SecretAccessKey, SessionToken: 'not-looked-at', Expiration: expires },
        AssumedRoleUser: toSession(site, { roleArn: RoleArn, name: RoleSessionName }),
      };
    },
  });

/** A session of a role, or else the account's root user. */
export const getCallerIdentity = (people: AssumedRoles, site: Site) =>
  action('GetCallerIdentity', {
    input: z.unknown(),
    // Needs no permission: the holder of a key may know its owner.
    permissions: () => [],
    run: (_, { accessKeyId }) => {
      const session = people.sessionOf(accessKeyId);
      if (session) {
        const { Arn, AssumedRoleId } = toSession(site, session);
        return { UserId: AssumedRoleId, Account: site.account, Arn };
      }
      return {
        UserId: site.account,
        Account: site.account,
        Arn: `arn:${site.partition}:iam::${site.account}:root`,
      };
    },
  });

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
