import * as z from 'zod';
import type { Comparison } from '../metric/comparison.ts';
import { Flip } from '../metric/flip.ts';
import type { PairTally } from '../metric/pair-tally.ts';
import type { Interval } from '../metric/wilson-interval.ts';
import { compareByteOrder } from '../text/byte-order.ts';

const Count = z.int().nonnegative();
const Share = z.number().min(0).max(1);
const Change = z.number().min(-1).max(1);
const PairedChange = z.object({
  records: Count,
  before: Share,
  now: Share,
  change: Change.describe('Now less before.'),
  interval: z
    .object({ low: Change, high: Change })
    .describe(
      '95% interval of the change, by squaring and adding Wilson intervals (Newcombe 1998, method 10). Of a run that ' +
        'was decided early, the one of accuracy is a confidence sequence of all inputs that both have, at the ' +
        'confidence of the gate.',
    ),
});

/** Comparison of a run with another one, on the inputs with the same content. */
export const ReportComparison = z.object({
  baseline: z.string().describe('The other run.'),
  replay: z.boolean().describe('True where this run repeats the other one.'),
  inputs: z.object({
    paired: Count.describe(
      'Same content, under the same name below the drop, or once in both under another name: the base of the figures.',
    ),
    changed: Count.describe('Same key, other content.'),
    added: Count.describe('Only in this run.'),
    missing: Count.nullable().describe('Only in the baseline.'),
  }),
  relabeled: Count.describe(
    'Records of paired inputs with another label than in the other run. Both are judged by the labels of this one.',
  ),
  answered: Count.describe('Records of paired inputs with a prediction in both runs.'),
  onlyNow: Count.describe('Records with a prediction only in this run.'),
  onlyBefore: Count.describe('Records with a prediction only in the baseline.'),
  identical: Count.describe('Same class and same score, to the last bit.'),
  sameClass: Count.describe('Same class.'),
  scoreDistance: z.number().nonnegative().describe('Largest distance of scores where the class is the same.'),
  bothRight: Count,
  lost: Count.describe('Right in the baseline, wrong now.'),
  gained: Count.describe('Wrong in the baseline, right now.'),
  bothWrong: Count,
  accuracy: PairedChange.nullable().describe('Null if no record has a truth and both predictions.'),
  pValue: Share.nullable().describe(
    'McNemar’s test, two-sided. Null if nothing can be compared, of a run that was decided early, and if the answers ' +
      'are the same and only labels differ.',
  ),
  exact: z.boolean().describe('Binomial test; false for chi-square with continuity correction.'),
  classes: z
    .array(z.object({ name: z.string(), lost: Count, gained: Count, recall: PairedChange }))
    .describe('Change of recall by true class, in the order of the names.'),
  flips: z.array(Flip).describe('Some of flips.csv: lost ones first, each kind by confidence.'),
});
export type ReportComparison = z.infer<typeof ReportComparison>;

/** Whether two runs have the same answers and other labels. */
export function isRelabeledOnly({
  relabeled,
  answered,
  sameClass,
}: Pick<ReportComparison, 'relabeled' | 'answered' | 'sameClass'>): boolean {
  return relabeled > 0 && sameClass === answered;
}

/** The comparison as report.json stores it. */
export function reportComparison(
  tally: PairTally,
  { cells, accuracy, test, classes }: Comparison,
  about: {
    readonly replay: boolean;
    readonly baselineInputs: number | null;
    readonly flips: readonly Flip[];
    /** Bounds of the change on all inputs of the drop that both runs have, if it was judged more than once. */
    readonly change?: Interval | undefined;
  },
): ReportComparison {
  const { baseline, inputs, relabeled, answered, onlyNow, onlyBefore, identical, sameClass, scoreDistance } =
    tally;
  const shared = inputs.paired + inputs.changed;
  return {
    baseline,
    replay: about.replay,
    inputs: {
      ...inputs,
      missing: about.baselineInputs === null ? null : Math.max(0, about.baselineInputs - shared),
    },
    relabeled,
    answered,
    onlyNow,
    onlyBefore,
    identical,
    sameClass,
    scoreDistance,
    ...cells,
    accuracy: accuracy === undefined ? null : { ...accuracy, interval: about.change ?? accuracy.interval },
    // A test that is read after each round finds a difference by chance too often, and one model's answers by other labels differ by none.
    pValue: about.change === undefined && !isRelabeledOnly(tally) ? (test?.pValue ?? null) : null,
    exact: test?.exact ?? true,
    classes: classes
      .map(({ name, lost, gained, recall }) => ({ name, lost, gained, recall }))
      .sort((a, b) => compareByteOrder(a.name, b.name)),
    flips: [...about.flips],
  };
}
