import type { AssumedRoles } from '../iam/service.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { queryService } from '../kernel/query-service.ts';
import type { Service, Site } from '../kernel/service.ts';
import { assumeRole, getCallerIdentity } from './actions/roles.ts';

const NO_ROLES: AssumedRoles = { assume: () => undefined, sessionOf: () => undefined };

/** The Security Token Service: the identity of a client, and sessions of roles. */
export function createSts({
  site,
  clock = systemClock,
  people = NO_ROLES,
}: {
  readonly site: Site;
  readonly clock?: Clock;
  /** Roles that people have assumed; without it, none can be assumed. */
  readonly people?: AssumedRoles;
}): { readonly service: Service } {
  const service = queryService({
    name: 'sts',
    apiVersion: '2011-06-15',
    xmlns: 'https://sts.amazonaws.com/doc/2011-06-15/',
    actions: [assumeRole(people, { site, clock }), getCallerIdentity(people, site)],
  });
  return { service };
}
