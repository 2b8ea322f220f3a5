import { priceTable, resolveHourlyPrice } from '../../price/price-table.ts';

/** The smallest instance without a GPU that both batch transform and endpoints offer today. */
export const CPU_INSTANCE = 'ml.m5.large';
/** The smallest instance with a GPU that both offer today. */
export const GPU_INSTANCE = 'ml.g4dn.xlarge';

/** Factor for a region without a price: the highest of the table. */
const DEAREST_FACTOR = Math.max(...Object.values(priceTable.regionFactors));
/** https://aws.amazon.com/s3/pricing/ and https://aws.amazon.com/eventbridge/pricing/ in us-east-1, 2026. */
const USD_PER_PUT = 5e-6;
const USD_PER_GET = 4e-7;
/** A bucket that sends events to EventBridge also sends the outputs' events: $1.00 a million. */
const USD_PER_EVENT = 1e-6;
/** https://aws.amazon.com/sagemaker/pricing/, serverless inference of 2 GB in us-east-1: $0.00004 a second. */
const USD_PER_SERVERLESS_GB_SECOND = 2e-5;
/** "$0.01 per paginated API request": https://aws.amazon.com/aws-cost-management/aws-cost-explorer/pricing/ */
const COST_EXPLORER_REQUEST_USD = 0.01;

/** Cost in US dollars of instances in a region. Start-up is not billed, but counted, since a job that fails late is billed. */
export function instanceUsd(instanceType: string, region: string, hours: number): number {
  const here = resolveHourlyPrice(instanceType, region, { table: priceTable }).usd;
  const hourly = here ?? (priceTable.usdPerHour[instanceType] ?? 1) * DEAREST_FACTOR;
  return toWholeCents(hourly * hours);
}

/** Cost in US dollars of `objects` uploaded, read by SageMaker, and answered by an output each. */
export function objectsUsd(objects: number): number {
  return objects * (2 * USD_PER_PUT + USD_PER_GET + 2 * USD_PER_EVENT);
}

/** Cost in US dollars of seconds of a serverless endpoint, in the most expensive region: $0.00002 per GB and second in us-east-1. */
export function serverlessUsd(memoryMB: number, seconds: number): number {
  return toWholeCents((memoryMB / 1024) * seconds * USD_PER_SERVERLESS_GB_SECOND * DEAREST_FACTOR);
}

/** Cost in US dollars of a number of requests to Cost Explorer. */
export function costExplorerUsd(requests: number): number {
  return requests * COST_EXPLORER_REQUEST_USD;
}

/** An estimate is rounded up to a cent. */
export function toWholeCents(usd: number): number {
  return Math.ceil(Math.round(usd * 1e6) / 1e4) / 100;
}
