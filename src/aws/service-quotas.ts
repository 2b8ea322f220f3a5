import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { withErrorNames } from './aws-error.ts';

/** Values of a service's quotas in this account and region, by the names that Service Quotas shows. */
export type ServiceQuotas = (serviceCode: string) => Promise<ReadonlyMap<string, number>>;

/** As many as the API gives a page. */
const PAGE = 100;

/** Reads all quotas of a service, page by page. */
export async function serviceQuotas(serviceCode: string): Promise<ReadonlyMap<string, number>> {
  const client = new ServiceQuotasClient();
  const values = new Map<string, number>();
  let NextToken: string | undefined;
  do {
    const page = await withErrorNames(
      client.send(new ListServiceQuotasCommand({ ServiceCode: serviceCode, MaxResults: PAGE, NextToken })),
    );
    for (const { QuotaName, Value } of page.Quotas ?? [])
      if (QuotaName !== undefined && Value !== undefined) values.set(QuotaName, Value);
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return values;
}
