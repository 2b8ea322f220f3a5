import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { ServiceQuota } from '../quotas.ts';

/** `GetServiceQuota`. */
export const getServiceQuota = (quotas: ReadonlyMap<string, readonly ServiceQuota[]>) =>
  action('GetServiceQuota', {
    input: z.strictObject({ ServiceCode: z.string().min(1), QuotaCode: z.string().min(1) }),
    run: ({ ServiceCode, QuotaCode }) => {
      const quota = quotas.get(ServiceCode)?.find((each) => each.QuotaCode === QuotaCode);
      if (quota) return { Quota: quota };
      throw new AwsError(
        'NoSuchResourceException',
        `The stack holds its clients to no quota ${QuotaCode} of ${ServiceCode}: ListServiceQuotas names those it has`,
      );
    },
  });
