import { toShownValue } from '../../pipeline/shown-value.ts';
import type { PriceOverride } from '../../price/price-override.ts';
import { priceTable, resolveHourlyPrice } from '../../price/price-table.ts';
import type { Problem } from '../../problem/problem.ts';
import { misspeltType } from '../judge/misspelt-type.ts';
import type { Plan } from '../plan.ts';

/** Prices of the named instances; the quote follows when the jobs are known. */
export interface ResolvedPrices {
  readonly pricesUsd: Plan['cost']['pricesUsd'];
  readonly source: Plan['cost']['source'];
  readonly date: string;
  readonly notes: readonly string[];
  readonly problems: readonly Problem[];
}

/** Instance types that a run asks for, and the bounds that need their prices. */
interface AskedInstances {
  readonly types: readonly string[];
  /** Path of their field in pipeline.json. */
  readonly field: string;
  /** Bounds by the paths of their fields, the run's own first; null if there is no bound. */
  readonly bounds: readonly { readonly field: string; readonly usd: number | null }[];
}

/** Looks up every instance type; an unknown price is noted, and refused where a cost bound depends on it. */
export function resolvePrices(
  { types, field, bounds }: AskedInstances,
  region: string,
  override: PriceOverride | undefined,
): ResolvedPrices {
  const prices = types.map((type) => ({
    type,
    ...resolveHourlyPrice(type, region, { table: priceTable, override }),
  }));
  const unknown = prices.filter(({ usd }) => usd === null).map(({ type }) => type);
  const pricesUsd = Object.fromEntries(prices.map(({ type, usd }) => [type, usd]));
  const { source = 'unknown', date = priceTable.date } = prices[0] ?? {};
  const notes: string[] = [];
  const problems: Problem[] = [];
  const unpriced: string[] = [];
  for (const type of unknown) {
    const message = misspeltType(type);
    if (message === undefined) unpriced.push(type);
    else
      problems.push({
        file: 'pipeline.json',
        field: `${field}.${types.indexOf(type)}`,
        value: toShownValue(type),
        message,
      });
  }
  const [first] = unpriced;
  if (first !== undefined) {
    const missing = `the price of ${unpriced.join(', ')} in ${region} is not in the table of ${priceTable.date}`;
    const bound = bounds.find(({ usd }) => usd !== null);
    if (bound === undefined) notes.push(`${missing}: the cost of this run is not known`);
    else {
      const message =
        `cannot be held within ${bound.field} ${bound.usd}: ${missing}. ` +
        `Add it to pipelines/prices.json: {"date": "YYYY-MM-DD", "usdPerHour": {"${first}": 1.23}}, or set ` +
        `${bounds.map((each) => each.field).join(' and ')} to null`;
      problems.push({
        file: 'pipeline.json',
        field,
        value: toShownValue(unknown),
        message,
      });
    }
  }
  return {
    pricesUsd,
    source,
    date,
    notes,
    problems,
  };
}
