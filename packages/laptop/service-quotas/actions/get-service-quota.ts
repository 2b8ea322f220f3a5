import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { ServiceQuota } from '../quotas.ts';

const Input = z.strictObject({ ServiceCode: z.string().min(1), QuotaCode: z.string().min(1) });

/** `GetServiceQuota`. */
export function getServiceQuota(quotas: ReadonlyMap<string, readonly ServiceQuota[]>) {
  return (body: unknown): { Quota: ServiceQuota } => {
    const { ServiceCode, QuotaCode } = Input.parse(body);
    const quota = quotas.get(ServiceCode)?.find((each) => each.QuotaCode === QuotaCode);
    if (quota) return { Quota: quota };
    throw new AwsError(
      'NoSuchResourceException',
      `The stack holds its clients to no quota ${QuotaCode} of ${ServiceCode}: ListServiceQuotas names those it has`,
    );
  };
}
