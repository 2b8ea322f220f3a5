import type { Cut, Side } from './tree-ensemble.ts';

/**
 * Cuts for a set of category codes: two for each run of neighboring codes, below its first and at its last. Libraries truncate a value
 * to a whole number, so a run holds the values from its first code to just below the code after its last one.
 *
 * @param below the next smaller number in the library's precision
 * @param belowZero the largest number that isn't code 0: just below 0 in XGBoost, -1 in LightGBM, which truncates -0.5 to 0
 */
export function cutsOfSet(
  codes: readonly number[],
  inside: Side,
  { below, belowZero }: { readonly below: (value: number) => number; readonly belowZero: number },
): readonly Cut[] {
  const outside = inside === 'left' ? 'right' : 'left';
  const sorted = [...new Set(codes)].sort((a, b) => a - b);
  const firsts = sorted.filter((code, at) => code - 1 !== sorted[at - 1]);
  const lasts = sorted.filter((code, at) => code + 1 !== sorted[at + 1]);
  return firsts.flatMap((first, at) => [
    { upTo: first === 0 ? belowZero : below(first), to: outside },
    { upTo: below((lasts[at] ?? first) + 1), to: inside },
  ]);
}
