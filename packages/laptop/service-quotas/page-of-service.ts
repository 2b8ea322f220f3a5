import { AwsError } from '../kernel/aws-error.ts';
import { pageOf } from '../logs/page.ts';
import type { ServiceQuota } from './quotas.ts';

/**
 * One page of a service's quotas, as both lists of Service Quotas give it.
 *
 * @throws {AwsError} if the stack has no quotas for the service
 */
export function pageOfService(
  quotas: ReadonlyMap<string, readonly ServiceQuota[]>,
  {
    ServiceCode,
    MaxResults,
    NextToken,
  }: {
    readonly ServiceCode: string;
    readonly MaxResults: number;
    readonly NextToken?: string | undefined;
  },
): { readonly Quotas: readonly ServiceQuota[]; readonly NextToken: string | undefined } {
  const ofService = quotas.get(ServiceCode);
  if (!ofService)
    throw new AwsError(
      'NoSuchResourceException',
      `The stack has quotas of ${[...quotas.keys()].join(' and ')} only, not of ${ServiceCode}`,
    );
  const { items, nextToken } = pageOf(ofService, MaxResults, NextToken);
  return { Quotas: items, NextToken: nextToken };
}
