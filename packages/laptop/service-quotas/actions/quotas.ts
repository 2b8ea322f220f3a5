import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { pageOf } from '../../logs/page.ts';
import type { ServiceQuota } from '../quotas.ts';

type Quotas = ReadonlyMap<string, readonly ServiceQuota[]>;

const Page = z.strictObject({
  ServiceCode: z.string().min(1),
  MaxResults: z.int().min(1).max(100).default(100),
  NextToken: z.string().regex(/^\d+$/).optional(),
});

/** Calls that list the quotas of a service: the account's, and AWS's own. */
export const quotaActions = (quotas: Quotas, defaults: Quotas) => [
  action('ListServiceQuotas', {
    /** All quotas of the stack are the account's. */
    input: Page.extend({ QuotaAppliedAtLevel: z.enum(['ACCOUNT', 'ALL']).optional() }),
    permissions: () => [{ action: 'servicequotas:ListServiceQuotas', resource: '*' }],
    run: (request) => pageOfService(quotas, request),
  }),
  /** The values that hold where no limits of the account are given. */
  action('ListAWSDefaultServiceQuotas', { input: Page, run: (request) => pageOfService(defaults, request) }),
];

/** @throws {AwsError} if the stack has no quotas for the service */
function pageOfService(quotas: Quotas, { ServiceCode, MaxResults, NextToken }: z.infer<typeof Page>) {
  const ofService = quotas.get(ServiceCode);
  if (!ofService)
    throw new AwsError(
      'NoSuchResourceException',
      `The stack has quotas of ${[...quotas.keys()].join(' and ')} only, not of ${ServiceCode}`,
    );
  const { items, nextToken } = pageOf(ofService, MaxResults, NextToken);
  return { Quotas: items, NextToken: nextToken };
}
