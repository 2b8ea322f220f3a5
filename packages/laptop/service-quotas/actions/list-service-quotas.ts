import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { pageOf } from '../../logs/page.ts';
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
    run: ({ ServiceCode, MaxResults, NextToken }) => {
      const ofService = quotas.get(ServiceCode);
      if (!ofService)
        throw new AwsError(
          'NoSuchResourceException',
          `The stack has quotas of ${[...quotas.keys()].join(' and ')} only, not of ${ServiceCode}`,
        );
      const { items, nextToken } = pageOf(ofService, MaxResults, NextToken);
      return { Quotas: items, NextToken: nextToken };
    },
  });
