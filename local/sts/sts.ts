import { queryService } from '../gateway/query-service.ts';
import type { Service, Site } from '../gateway/service.ts';
import { getCallerIdentity } from './actions/get-caller-identity.ts';

/** The Security Token Service, as far as clients ask it who they are. */
export function createSts({ site }: { readonly site: Site }): { readonly service: Service } {
  const service = queryService({
    name: 'sts',
    apiVersion: '2011-06-15',
    xmlns: 'https://sts.amazonaws.com/doc/2011-06-15/',
    actions: { GetCallerIdentity: getCallerIdentity(site) },
  });
  return { service };
}
