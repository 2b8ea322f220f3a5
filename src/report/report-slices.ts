import * as z from 'zod';

/** Labeled records below which a slice is not tested: hardly any difference could be shown, and each test makes the others less sharp. */
export const MIN_TESTED = 30;
/** Level of the tests after Holm's correction. */
const LEVEL = 0.05;

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);

const ReportSlice = z.object({
  dimension: z.string(),
  value: z.string().nullable().describe('Null for the records without a value.'),
  labeled: Count.describe('Records with a prediction and a truth.'),
  correct: Count,
  accuracy: Share,
  interval: z
    .object({ low: Share, high: Share })
    .describe('95% Wilson score interval; of a run of a sample the one of the slice in the whole drop.'),
  difference: z.number().nullable().describe("Accuracy less the rest's; null if there is no rest."),
  differenceInterval: z
    .object({ low: z.number(), high: z.number() })
    .nullable()
    .describe('95%, Newcombe’s method 10.'),
  pValue: Share.nullable().describe(
    'Of no difference to the rest, after Holm’s correction for `tested` slices; null below 30 records, which are not tested.',
  ),
  excessMistakes: z
    .number()
    .nonnegative()
    .describe('Mistakes beyond those with the accuracy of the rest: what mending the slice would win.'),
});
export type ReportSlice = z.infer<typeof ReportSlice>;

/** Accuracy by the dimensions of `report.slices`. */
export const ReportSlices = z.object({
  dimensions: z.array(
    z.object({
      name: z.string(),
      values: Count.describe('Values that are listed.'),
      other: z
        .object({ labeled: Count, correct: Count })
        .describe('Records of further values: 1,000 of a dimension are listed, drawn at random.'),
    }),
  ),
  found: Count.describe('Slices with a labeled record, of all dimensions.'),
  tested: Count.describe('Slices of at least 30 labeled records, each tested against the rest.'),
  weakest: z
    .array(ReportSlice)
    .describe(
      'Tested slices first, by the upper end of the interval: "surely not better than"; then smaller ones; at most 200.',
    ),
});
export type ReportSlices = z.infer<typeof ReportSlices>;

/** Whether more than chance is between a slice and the rest. */
export function isDifferent({ pValue }: ReportSlice): boolean {
  return pValue !== null && pValue < LEVEL;
}

/** Whether a slice is surely weaker than the rest. */
export function isWeaker(slice: ReportSlice): boolean {
  return isDifferent(slice) && (slice.difference ?? 0) < 0;
}
