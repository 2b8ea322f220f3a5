import type { PriceOverride } from './price-override.ts';
import type { PriceTable } from './price-table.ts';
import { roundUsd } from './round-usd.ts';

/** Price of one instance-hour, and its source. */
export interface HourlyPrice {
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
