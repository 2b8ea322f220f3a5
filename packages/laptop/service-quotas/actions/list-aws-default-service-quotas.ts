import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { pageOfService } from '../page-of-service.ts';
import type { ServiceQuota } from '../quotas.ts';

/** `ListAWSDefaultServiceQuotas`: the values that hold where no limits of the account are given. */
export const listAwsDefaultServiceQuotas = (quotas: ReadonlyMap<string, readonly ServiceQuota[]>) =>
  action('ListAWSDefaultServiceQuotas', {
    input: z.strictObject({
      ServiceCode: z.string().min(1),
      MaxResults: z.int().min(1).max(100).default(100),
      NextToken: z.string().regex(/^\d+$/).optional(),
    }),
    run: (request) => pageOfService(quotas, request),
  });
