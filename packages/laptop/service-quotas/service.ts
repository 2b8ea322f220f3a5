import { jsonService } from '../kernel/json-service.ts';
import type { Service, Site } from '../kernel/service.ts';
import { AccountLimits } from './account-limits.ts';
import { quotaActions } from './actions/quotas.ts';
import { quotasOf } from './quotas.ts';

/** Service Quotas: shows what the stack holds its clients to; nothing can be changed through it. */
export function createServiceQuotas({
  site,
  limits,
}: {
  readonly site: Site;
  readonly limits: AccountLimits;
}): { readonly service: Service } {
  const quotas = quotasOf(limits, site);
  const defaults = quotasOf(AccountLimits.parse({}), site);
  return {
    service: jsonService({
      name: 'service-quotas',
      target: 'ServiceQuotasV20190624',
      version: '1.1',
      validationCode: 'IllegalArgumentException',
      actions: quotaActions(quotas, defaults),
    }),
  };
}
