import { instanceFamily, isSpeltAsInstanceType } from '../../model/instance-type.ts';
import { nearestName } from '../../pipeline/nearest-name.ts';
import { priceTable } from '../../price/price-table.ts';

/** Types of SageMaker's enumerations (botocore 1.44.5) that the table of prices lacks, though it has others of their family. */
const UNPRICED = ['ml.c4.large', 'ml.c5.large', 'ml.p5.4xlarge', 'ml.trn1.2xlarge'];
const KNOWN_TYPES = [...Object.keys(priceTable.usdPerHour), ...UNPRICED];

/** Refusal of a type without a price that cannot be one of AWS's: it is not spelt like them, or has a size that its family lacks. */
export function misspeltType(type: string): string | undefined {
  if (KNOWN_TYPES.includes(type)) return undefined;
  const family = instanceFamily(type);
  if (isSpeltAsInstanceType(type) && !KNOWN_TYPES.some((known) => instanceFamily(known) === family))
    return undefined;
  const nearest = nearestName(type, KNOWN_TYPES);
  const remedy = nearest === undefined ? 'correct it' : `did you mean ${nearest}? Correct it`;
  return `is not a known instance type; ${remedy}, or give its price in pipelines/prices.json if AWS has it`;
}
