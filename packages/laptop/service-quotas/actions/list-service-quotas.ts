import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { pageOfService } from '../page-of-service.ts';
import type { ServiceQuota } from '../quotas.ts';

/** `ListServiceQuotas`. */
export const listServiceQuotas = (quotas: ReadonlyMap<string, readonly ServiceQuota[]>) =>
  action('ListServiceQuotas', {
    input: z.strictObject({
      ServiceCode: z.string().min(1),
      MaxResults: z.int().min(1).max(100).default(100),
      NextToken: z.string().regex(/^\d+$/).optional(),
      /** All quotas of the stack are the account's. */
      QuotaAppliedAtLevel: z.enum(['ACCOUNT', 'ALL']).optional(),
    }),
    permissions: () => [{ action: 'servicequotas:ListServiceQuotas', resource: '*' }],
    run: (request) => pageOfService(quotas, request),
  });
