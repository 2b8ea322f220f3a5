import type { PriceOverride } from './price-override.ts';
import prices from './prices.json' with { type: 'json' };
import { roundUsd } from './round-usd.ts';

/** Prices of one instance-hour of batch transform and training in US dollars. */
export interface PriceTable {
  /** Day on which the prices were compiled. */
  readonly date: string;
  readonly source: string;
  /** Prices by instance type, in the regions of factor 1. */
  readonly usdPerHour: Readonly<Record<string, number>>;
  readonly regionFactors: Readonly<Record<string, number>>;
}

/**
 * On-demand prices, for quotes and for the enforcement of limits.maxCostUsd.
 *
 * Compiled by hand from public quotes of us-east-1, not read from AWS's price list; m7i, c7i, r6i, r7i and g6e are EC2's price
 * times the surcharge of SageMaker on the neighboring families (1.2 and 1.25); the prices of p4d, p4de and p5 are from before AWS
 * lowered them in 2025, so that a cap holds. Spot capacity costs at most the on-demand price. Other regions are us-east-1 times the
 * ratio of the m5 family there, rounded up. `pipelines/prices.json` overrides all of it.
 */
export const priceTable: PriceTable = {
  date: prices.date,
  source: prices.source,
  usdPerHour: { ...proportionalPrices(), ...prices.single },
  regionFactors: prices.regionFactors,
};

/**
 * Families with sizes that cost in proportion to their cores: by the price of an xlarge, and the sizes that batch transform or
 * training offers.
 */
function proportionalPrices(): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [family, { xlargeUsd, sizes }] of Object.entries(prices.proportional)) {
    for (const size of sizes.split(' ')) {
      const xlarges = size === 'large' ? 0.5 : Number(size.replace('xlarge', '') || 1);
      found[`ml.${family}.${size}`] = roundUsd(xlargeUsd * xlarges);
    }
  }
  return found;
}

/** Price of one instance-hour, and its source. */
interface HourlyPrice {
  /** Null if neither the override nor the table has the instance in this region. */
  readonly usd: number | null;
  readonly source: 'override' | 'table' | 'unknown';
  readonly date: string;
}

/** Chooses the price of an instance in a region: the override's, else the table's. */
export function resolveHourlyPrice(
  instanceType: string,
  region: string,
  { table, override }: { readonly table: PriceTable; readonly override?: PriceOverride | undefined },
): HourlyPrice {
  const overridden = override?.usdPerHour[instanceType];
  if (override !== undefined && overridden !== undefined) {
    return { usd: overridden, source: 'override', date: override.date };
  }
  const base = table.usdPerHour[instanceType];
  const factor = table.regionFactors[region];
  if (base === undefined || factor === undefined) return { usd: null, source: 'unknown', date: table.date };
  return { usd: roundUsd(base * factor), source: 'table', date: table.date };
}
