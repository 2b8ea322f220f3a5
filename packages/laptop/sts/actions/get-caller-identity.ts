import type { QueryActions } from '../../kernel/query-service.ts';
import type { Site } from '../../kernel/service.ts';
import type { AssumedRoles } from '../../iam/service.ts';
import { toSession } from '../session.ts';

/** A session of a role, or else the account's root user. */
export function getCallerIdentity(people: AssumedRoles, site: Site): QueryActions[string] {
  return (_, { accessKeyId }) => {
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
  };
}
