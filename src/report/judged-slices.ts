import { type JudgedSlice, judgeSlices, type Slice } from '../judging/judge-slices.ts';
import type { RightOf } from '../judging/right-of.ts';
import { parseSliceName, toSliceName } from '../slice/slice-name.ts';
import type { StoredSlices } from '../slice/slice-tally.ts';
import { MIN_TESTED, type ReportSlice, type ReportSlices } from './report-slices.ts';

/** Cap on the slices of a report, weakest first; the rows in Parquet tell all. */
const MAX_SHOWN = 200;

/**
 * Judges the slices of a run.
 *
 * @param dimensions names of the dimensions, in the order of `tallies`
 * @param fraction the fraction of the inputs that was drawn, if intervals are for the whole drop
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
      other: { labeled: other.count, correct: other.right },
    })),
    found: tested.length + untested.length,
    tested: tested.length,
    weakest: [
      ...tested.map((slice) => toReport(slice, slice.correctedP)),
      ...untested.map((slice) => toReport(slice, null)),
    ].slice(0, MAX_SHOWN),
  };
}

/** Records of a dimension; all dimensions have the same ones. */
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
    dimension,
    value,
    labeled: slice.count,
    correct: slice.right,
    accuracy: slice.share,
    interval: slice.interval,
    difference: slice.toRest?.difference ?? null,
    differenceInterval: slice.toRest?.interval ?? null,
    pValue,
    excessMistakes: slice.excessMistakes,
  };
}
