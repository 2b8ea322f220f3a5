import * as z from 'zod';
import { parseWrittenJson } from '../text/written-json.ts';

/** `pipelines/prices.json`: prices of this account and region that replace the built-in table's. */
export const PriceOverride = z.strictObject({
  $schema: z.string().optional(),
  date: z.iso.date().describe('Day on which the prices were looked up.'),
  usdPerHour: z
    .record(z.string().regex(/^ml\.[a-z0-9-]+\.[a-z0-9-]+$/), z.number().nonnegative())
    .describe('Price of one instance-hour of batch transform and training in US dollars, by instance type.'),
  lambdaUsdPerGbSecond: z
    .number()
    .nonnegative()
    .optional()
    .describe("Price of a second of one GB of a Lambda function's memory on arm64, in US dollars."),
});
export type PriceOverride = z.infer<typeof PriceOverride>;

/** Reads `pipelines/prices.json`, or says what is wrong with it. */
export function parsePrices(text: string): PriceOverride | { readonly message: string } {
  try {
    const parsed = PriceOverride.safeParse(parseWrittenJson(text));
    return parsed.success
      ? parsed.data
      : { message: `is not a price list: ${z.prettifyError(parsed.error)}` };
  } catch (error) {
    return { message: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
