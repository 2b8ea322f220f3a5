import * as z from 'zod';
import type { AssumedRoles } from '../../iam/service.ts';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { toSession } from '../session.ts';

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
