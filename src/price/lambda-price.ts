import type { PriceOverride } from './price-override.ts';

/**
 * US dollars of a second of one GB of memory of a function on arm64, in the regions that have Lambda's common price
 * (aws.amazon.com/lambda/pricing).
 */
const USD_PER_GB_SECOND = 0.0000133334;
const COMMON_PRICE_REGIONS = new Set(
  (
    'us-east-1 us-east-2 us-west-1 us-west-2 ca-central-1 eu-west-1 eu-west-2 eu-west-3 eu-central-1 eu-north-1 ' +
    'ap-southeast-1 ap-southeast-2 ap-northeast-1 ap-northeast-2 ap-south-1 sa-east-1'
  ).split(' '),
);
/** Day on which the prices were compiled. */
const LAMBDA_PRICE_DATE = '2026-11-01';

/** US dollars of an invocation next to the function's time. */
export const USD_PER_REQUEST = 0.2 / 1e6;

/**
 * US dollars of a bundle in addition to the function's time: an invocation, and the transitions of its child of a Step Functions
 * map (its start and end count in addition to its states).
 */
export const usdPerBundle = (states: number): number => USD_PER_REQUEST + ((states + 2) * 0.025) / 1_000;

/** Price of one GB for an hour, and its source. */
export interface MemoryPrice {
  /** Null if neither the override nor the table has the region. */
  readonly usdPerGbHour: number | null;
  readonly source: 'override' | 'table' | 'unknown';
  readonly date: string;
}

/** Chooses the price of a function's memory in a region: the override's, else the table's. */
export function resolveMemoryPrice(region: string, override: PriceOverride | undefined): MemoryPrice {
  const overridden = override?.lambdaUsdPerGbSecond;
  if (override !== undefined && overridden !== undefined)
    return { usdPerGbHour: overridden * 3600, source: 'override', date: override.date };
  return COMMON_PRICE_REGIONS.has(region)
    ? { usdPerGbHour: USD_PER_GB_SECOND * 3600, source: 'table', date: LAMBDA_PRICE_DATE }
    : { usdPerGbHour: null, source: 'unknown', date: LAMBDA_PRICE_DATE };
}
