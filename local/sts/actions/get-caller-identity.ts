import type { QueryActions } from '../../gateway/query-service.ts';
import type { Site } from '../../gateway/service.ts';

/** Everyone is the account's root user; sessions of roles do not come here. */
export function getCallerIdentity(site: Site): QueryActions[string] {
  return () => ({
    UserId: site.account,
    Account: site.account,
    Arn: `arn:${site.partition}:iam::${site.account}:root`,
  });
}
