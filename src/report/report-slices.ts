import * as z from 'zod';
import { type JudgedSlice, judgeSlices, type Slice } from '../judging/judge-slices.ts';
import type { RightOf } from '../judging/right-of.ts';
import { parseSliceName, toSliceName } from '../slice/slice-name.ts';
import type { StoredSlices } from '../slice/slice-tally.ts';

/** Cap on the slices of a report, weakest first; the rows in Parquet tell all. */
const MAX_SHOWN = 200;
/** Labelled records below which a slice is not tested: hardly any difference could be shown, and each test makes the others less sharp. */
export const MIN_TESTED = 30;
/** Level of the tests after Holm's correction. */
const LEVEL = 0.05;

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);

const ReportSlice = z.object({
  dimension: z.string(),
  value: z.string().nullable().describe('Null for the records without a value.'),
  labelled: Count.describe('Records with a prediction and a truth.'),
  correct: Count,
  accuracy: Share,
  interval: z
    .object({ low: Share, high: Share })
    .describe('95% Wilson score interval; of a run of a sample that of the slice in the whole drop.'),
  difference: z.number().nullable().describe('Accuracy less that of the rest; null where there is no rest.'),
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
        .object({ labelled: Count, correct: Count })
        .describe('Records of further values: 1,000 of a dimension are listed, drawn at random.'),
    }),
  ),
  found: Count.describe('Slices with a labelled record, of all dimensions.'),
  tested: Count.describe('Slices of at least 30 labelled records, each tested against the rest.'),
  weakest: z
    .array(ReportSlice)
    .describe(
      'Tested slices first, by the upper end of the interval: "surely not better than"; then smaller ones; at most 200.',
    ),
});
export type ReportSlices = z.infer<typeof ReportSlices>;

/**
 * Judges the slices of a run.
 *
 * @param dimensions names of the dimensions, in the order of `tallies`
 * @param fraction what of the inputs was drawn, where intervals are those of a whole drop
 */
export function reportSlices(
  dimensions: readonly string[],
  tallies: StoredSlices,
  fraction = 0,
): ReportSlices {
  const slices = tallies.flatMap(({ values, none }, at): Slice[] => {
    const named = (value: string | null, counts: RightOf): Slice => ({
      name: toSliceName(dimensions[at] ?? '', value),
      ...counts,
    });
    const told = values.map(([value, right, count]) => named(value, { right, count }));
    return none.count > 0 ? [...told, named(null, none)] : told;
  });
  const all = totalOf(tallies[0]);
  const isTested = ({ count }: RightOf): boolean => count >= MIN_TESTED && count < all.count;
  const tested = judgeSlices(slices.filter(isTested), all, fraction);
  const untested = judgeSlices(
    slices.filter((slice) => !isTested(slice)),
    all,
    fraction,
  );
  return {
    dimensions: tallies.map(({ values, other }, at) => ({
      name: dimensions[at] ?? '',
      values: values.length,
      other: { labelled: other.count, correct: other.right },
    })),
    found: tested.length + untested.length,
    tested: tested.length,
    weakest: [
      ...tested.map((slice) => toReport(slice, slice.correctedP)),
      ...untested.map((slice) => toReport(slice, null)),
    ].slice(0, MAX_SHOWN),
  };
}

/** Whether more than chance is between a slice and the rest. */
export function isDifferent({ pValue }: ReportSlice): boolean {
  return pValue !== null && pValue < LEVEL;
}

/** Whether a slice is surely weaker than the rest. */
export function isWeaker(slice: ReportSlice): boolean {
  return isDifferent(slice) && (slice.difference ?? 0) < 0;
}

/** Records of a dimension, which are those of every other. */
function totalOf(dimension: StoredSlices[number] | undefined): RightOf {
  let [right, count] = [0, 0];
  const add = (part: RightOf): void => {
    right += part.right;
    count += part.count;
  };
  for (const [, own, records] of dimension?.values ?? []) add({ right: own, count: records });
  if (dimension !== undefined) for (const part of [dimension.none, dimension.other]) add(part);
  return { right, count };
}

function toReport(slice: JudgedSlice, pValue: number | null): ReportSlice {
  const { dimension, value } = parseSliceName(slice.name) ?? { dimension: '', value: null };
  return {
    ...{ dimension, value, labelled: slice.count, correct: slice.right, accuracy: slice.share },
    interval: slice.interval,
    difference: slice.toRest?.difference ?? null,
    differenceInterval: slice.toRest?.interval ?? null,
    pValue,
    excessMistakes: slice.excessMistakes,
  };
}
