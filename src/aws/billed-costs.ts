import { CostExplorerClient, GetCostAndUsageCommand } from '@aws-sdk/client-cost-explorer';
import { withErrorNames } from './aws-error.ts';

/** US dollars of the account in whole days of a region, by the service's name on the bill. `end` is exclusive. */
export type BilledCosts = (period: {
  /** As `2026-11-21`. */
  readonly start: string;
  readonly end: string;
  readonly region: string;
}) => Promise<ReadonlyMap<string, number>>;

/** Asks Cost Explorer once, which costs $0.01. */
export const billedCosts: BilledCosts = async ({ start, end, region }) => {
  const answer = await withErrorNames(
    new CostExplorerClient().send(
      new GetCostAndUsageCommand({
        TimePeriod: { Start: start, End: end },
        Granularity: 'DAILY',
        Metrics: ['UnblendedCost'],
        Filter: { Dimensions: { Key: 'REGION', Values: [region] } },
        GroupBy: [{ Type: 'DIMENSION', Key: 'SERVICE' }],
      }),
    ),
  );
  const costs = new Map<string, number>();
  for (const { Groups = [] } of answer.ResultsByTime ?? [])
    for (const { Keys: [service = ''] = [], Metrics } of Groups)
      costs.set(service, (costs.get(service) ?? 0) + Number(Metrics?.['UnblendedCost']?.Amount ?? 0));
  return costs;
};
