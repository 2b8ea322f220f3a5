import {
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
  type ServiceQuota,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { withErrorNames } from '../calls/aws-error.ts';

/** Values of a service's quotas in a region, by the names that Service Quotas shows. */
export type ServiceQuotas = (serviceCode: string) => Promise<ReadonlyMap<string, number>>;

/** Page size: the most that the API allows. */
const PAGE = 100;

interface Page {
  readonly Quotas?: readonly ServiceQuota[] | undefined;
  readonly NextToken?: string | undefined;
}

/** Reads all quotas of a service in this account, page by page. AWS leaves out quotas for which only the default is known. */
export const serviceQuotas: ServiceQuotas = (ServiceCode) => {
  const client = new ServiceQuotasClient();
  return allQuotas((NextToken) =>
    client.send(new ListServiceQuotasCommand({ ServiceCode, MaxResults: PAGE, NextToken })),
  );
};

/** Reads the defaults of a service's quotas, which apply where the account has no value of its own. */
export const defaultServiceQuotas: ServiceQuotas = (ServiceCode) => {
  const client = new ServiceQuotasClient();
  return allQuotas((NextToken) =>
    client.send(new ListAWSDefaultServiceQuotasCommand({ ServiceCode, MaxResults: PAGE, NextToken })),
  );
};

async function allQuotas(
  ask: (nextToken: string | undefined) => Promise<Page>,
): Promise<ReadonlyMap<string, number>> {
  const values = new Map<string, number>();
  let nextToken: string | undefined;
  do {
    const page = await withErrorNames(ask(nextToken));
    for (const { QuotaName, Value } of page.Quotas ?? [])
      if (QuotaName !== undefined && Value !== undefined) values.set(QuotaName, Value);
    nextToken = page.NextToken;
  } while (nextToken !== undefined);
  return values;
}
