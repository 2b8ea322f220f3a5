import { doubleBelow } from '../adjacent-numbers.ts';
import { cutsOfSet } from '../category-cuts.ts';
import type { Leaf, Side, Split, Tree } from '../tree-ensemble.ts';
import { Unconvertible } from '../trees-refused.ts';
import { numbersOf, SAVE_AGAIN } from './model-text.ts';

/** Numbers up to this size are zero where zero is a missing value: kZeroThreshold, a float32. */
const ZERO = Math.fround(1e-35);

/** Bits of `decision_type`: the two from the third on say which value is missing. */
const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;
const MISSING = ['none', 'zero', 'nan', 'unknown'] as const;

/**
 * Reads a tree from its fields.
 *
 * @param scale factor of its leaves
 * @throws {Unconvertible}
 */
export function readTree(fields: ReadonlyMap<string, string>, output: number, scale: number): Tree {
  if (fields.get('is_linear') === '1')
    throw new Unconvertible(
      'has linear models in its leaves (linear_tree), for which ONNX has no operator: train it without linear_tree',
    );
  const numbers = (name: string): readonly number[] => numbersOf(fields, name);
  const leaves = numbers('leaf_value').map((value): Leaf => ({ adds: [{ output, weight: value * scale }] }));
  const features = numbers('split_feature');
  const [thresholds, types] = [numbers('threshold'), numbers('decision_type')];
  const [lefts, rights] = [numbers('left_child'), numbers('right_child')];
  const count = Number(fields.get('num_leaves'));
  if (
    leaves.length !== count ||
    [features, thresholds, types, lefts, rights].some(({ length }) => length !== count - 1)
  )
    throw new Unconvertible(
      `is damaged: a tree counts ${count} leaves and has ${leaves.length} and ${features.length} splits: ${SAVE_AGAIN}`,
    );
  const sets = setsOf(fields);
  // Leaves stand behind the splits; the file counts them -1, -2, …
  const placeOf = (child: number): number => (child >= 0 ? child : count - 2 - child);
  const splits = features.map((feature, at): Split => {
    const [type = 0, threshold = NaN] = [types[at], thresholds[at]];
    return {
      feature,
      ...((type & CATEGORICAL) === 0
        ? numericCuts(threshold, type)
        : {
            cuts: cutsOfSet(takenFrom(sets, threshold), 'left', { below: doubleBelow, belowZero: -1 }),
            above: 'right',
            missing: 'right',
          }),
      left: placeOf(lefts[at] ?? NaN),
      right: placeOf(rights[at] ?? NaN),
    };
  });
  return [...splits, ...leaves];
}

type Way = Pick<Split, 'cuts' | 'above' | 'missing'>;

function numericCuts(threshold: number, type: number): Way {
  const side: Side = (type & DEFAULT_LEFT) === 0 ? 'right' : 'left';
  const plain = { cuts: [{ upTo: threshold, to: 'left' }], above: 'right' } as const;
  const missing = MISSING[(type >> 2) & 3];
  switch (missing) {
    // A missing value counts as zero.
    case 'none':
      return { ...plain, missing: threshold >= 0 ? 'left' : 'right' };
    case 'zero':
      return { ...cutsAroundZero(threshold, side), missing: side };
    case 'nan':
      return { ...plain, missing: side };
    default:
      throw new Unconvertible(`is damaged: a tree has the decision_type ${type}: ${SAVE_AGAIN}`);
  }
}

/** A threshold, and zero on a side of its own. */
function cutsAroundZero(threshold: number, zero: Side): Omit<Way, 'missing'> {
  const belowZero = doubleBelow(-ZERO);
  if (zero === 'left')
    return {
      cuts:
        threshold >= ZERO
          ? [{ upTo: threshold, to: 'left' }]
          : [
              { upTo: Math.min(threshold, belowZero), to: 'left' },
              { upTo: belowZero, to: 'right' },
              { upTo: ZERO, to: 'left' },
            ],
      above: 'right',
    };
  return {
    cuts:
      threshold < -ZERO
        ? [{ upTo: threshold, to: 'left' }]
        : [
            { upTo: belowZero, to: 'left' },
            { upTo: ZERO, to: 'right' },
            { upTo: Math.max(threshold, ZERO), to: 'left' },
          ],
    above: 'right',
  };
}

/** A set of categories, which belongs to one split: a damaged file could ask for a large one again and again. */
function takenFrom(sets: Map<number, readonly number[]>, at: number): readonly number[] {
  const set = sets.get(at) ?? [];
  sets.delete(at);
  return set;
}

/** Codes of each set of categories: words of 32 bits between boundaries. */
function setsOf(fields: ReadonlyMap<string, string>): Map<number, readonly number[]> {
  const [ends, words] = [numbersOf(fields, 'cat_boundaries'), numbersOf(fields, 'cat_threshold')];
  if (ends.some((end, at) => end < (ends[at - 1] ?? 0) || end > words.length))
    throw new Unconvertible(
      `is damaged: a tree has sets of categories up to ${ends.at(-1)} of ${words.length}: ${SAVE_AGAIN}`,
    );
  return new Map(ends.slice(1).map((end, at) => [at, codesOf(words.slice(ends[at], end))]));
}

function codesOf(words: readonly number[]): readonly number[] {
  return words.flatMap((word, at) =>
    Array.from({ length: 32 }, (_, bit) => bit)
      .filter((bit) => ((word >>> bit) & 1) === 1)
      .map((bit) => at * 32 + bit),
  );
}
