import { instanceFamily, isSpeltAsInstanceType } from '../model/instance-type.ts';
import { nearestName } from '../pipeline/nearest-name.ts';
import { toShownValue } from '../pipeline/shown-value.ts';
import { resolveHourlyPrice } from '../price/hourly-price.ts';
import type { PriceOverride } from '../price/price-override.ts';
import { priceTable } from '../price/price-table.ts';
import type { Problem } from '../problem/problem.ts';
import type { Plan } from './plan.ts';

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
  /** Bounds by the paths of their fields, the run's own first; null where there is no bound. */
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
  const misspelt = unknown.filter(isMisspelt);
  for (const type of misspelt) {
    problems.push({
      file: 'pipeline.json',
      field: `${field}.${types.indexOf(type)}`,
      value: toShownValue(type),
      message: `is not a known instance type; ${suggestion(type)}, or give its price in pipelines/prices.json if AWS has it`,
    });
  }
  const unpriced = unknown.filter((type) => !isMisspelt(type));
  const [first] = unpriced;
  if (first !== undefined) {
    const missing = `the price of ${unpriced.join(', ')} in ${region} is not in the table of ${priceTable.date}`;
    const bound = bounds.find(({ usd }) => usd !== null);
    if (bound === undefined) notes.push(`${missing}: the cost of this run is not known`);
    else {
      const message =
        `cannot be held within ${bound.field} ${bound.usd}: ${missing}. ` +
        `Add it to pipelines/prices.json: {"date": "YYYY-MM-DD", "usdPerHour": {"${first}": 1.23}}, or set ${bounds.map((each) => each.field).join(' and ')} to null`;
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

/** Whether a type cannot be one of AWS's: not spelt like those, or of a size that its family lacks. */
function isMisspelt(type: string): boolean {
  if (KNOWN_TYPES.includes(type)) return false;
  const family = instanceFamily(type);
  return !isSpeltAsInstanceType(type) || KNOWN_TYPES.some((known) => instanceFamily(known) === family);
}

const KNOWN_TYPES = Object.keys(priceTable.usdPerHour);

function suggestion(type: string): string {
  const nearest = nearestName(type, KNOWN_TYPES);
  return nearest === undefined ? 'correct it' : `did you mean ${nearest}? Correct it`;
}
