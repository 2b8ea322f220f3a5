import {
  CostExplorerClient,
  type DateInterval,
  type Expression,
  GetCostAndUsageCommand,
  type GroupDefinition,
} from '@aws-sdk/client-cost-explorer';
import { APPLICATION_TAG } from '../../run/application-tag.ts';
import { withErrorNames } from '../calls/aws-error.ts';

/** Name of SageMaker on the bill. */
const SAGEMAKER = 'Amazon SageMaker';

/** A part of SageMaker's bill. */
interface BilledUsage {
  /** Usage type on the bill, such as `USE1-Tsform:ml.m5.large`. */
  readonly usageType: string;
  /** Value of the tag `inferdrop:application`; empty if the resource isn't tagged, or the tag is not a cost allocation tag. */
  readonly application: string;
  readonly usd: number;
}

/** The bill of an account in a region, in US dollars. */
export interface Bill {
  /** US dollars by the service's name on the bill. */
  readonly services: ReadonlyMap<string, number>;
  readonly sagemaker: readonly BilledUsage[];
}

/** The bill of whole days. `end` is exclusive. */
export type BilledCosts = (period: {
  /** First day, in the form `2026-11-21`. */
  readonly start: string;
  readonly end: string;
  readonly region: string;
}) => Promise<Bill>;

/** Asks Cost Explorer twice, which costs $0.02; a bill of thousands of lines has further pages at a cent each. */
export const billedCosts: BilledCosts = async ({ start, end, region }) => {
  const inRegion: Expression = { Dimensions: { Key: 'REGION', Values: [region] } };
  const ofSageMaker: Expression = { Dimensions: { Key: 'SERVICE', Values: [SAGEMAKER] } };
  const period = { Start: start, End: end };
  const services = new Map<string, number>();
  for await (const { keys, usd } of costs(period, inRegion, [{ Type: 'DIMENSION', Key: 'SERVICE' }]))
    services.set(keys[0] ?? '', (services.get(keys[0] ?? '') ?? 0) + usd);
  const sagemaker: BilledUsage[] = [];
  const byUse: GroupDefinition[] = [
    { Type: 'TAG', Key: APPLICATION_TAG },
    { Type: 'DIMENSION', Key: 'USAGE_TYPE' },
  ];
  for await (const { keys, usd } of costs(period, { And: [inRegion, ofSageMaker] }, byUse)) {
    const [tag = '', usageType = ''] = keys;
    // "inferdrop:application$value", and nothing after the dollar where there is no tag.
    sagemaker.push({ application: tag.slice(tag.indexOf('$') + 1), usageType, usd });
  }
  return { services, sagemaker };
};

async function* costs(
  TimePeriod: DateInterval,
  Filter: Expression,
  GroupBy: GroupDefinition[],
): AsyncGenerator<{ readonly keys: readonly string[]; readonly usd: number }> {
  const client = new CostExplorerClient();
  let NextPageToken: string | undefined;
  do {
    const answer = await withErrorNames(
      client.send(
        new GetCostAndUsageCommand({
          TimePeriod,
          Granularity: 'DAILY',
          Metrics: ['UnblendedCost'],
          Filter,
          GroupBy,
          NextPageToken,
        }),
      ),
    );
    for (const { Groups = [] } of answer.ResultsByTime ?? [])
      for (const { Keys = [], Metrics } of Groups)
        yield { keys: Keys, usd: Number(Metrics?.['UnblendedCost']?.Amount ?? 0) };
    NextPageToken = answer.NextPageToken;
  } while (NextPageToken !== undefined);
}
