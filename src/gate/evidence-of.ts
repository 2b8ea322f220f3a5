import { type Stratum, weighedShare } from '../judging/sampled-share.ts';
import type { Comparison } from '../metric/comparison.ts';
import { type Metrics, modelErrors } from '../metric/metrics.ts';
import type { StoredSlices } from '../slice/slice-tally.ts';
import type { Change, Count, SliceCount } from './counts.ts';
import type { Evidence } from './evidence.ts';

/** The figures of a run that its gate judges. */
interface RunFigures {
  readonly metrics: Metrics;
  /** The figures of all inputs, if `metrics` lacks some that were trained on or are copies. */
  readonly whole?: Metrics | undefined;
  readonly awaitsLabels?: boolean;
  /** Class names by id. */
  readonly classes: readonly string[];
  /** Undefined if there is no baseline. */
  readonly comparison?:
    { readonly baseline: string; readonly result: Comparison; readonly isDoubted?: boolean } | undefined;
  /** Whether "last-passed" found no run yet. */
  readonly first: boolean;
  /** The sample that stands for a drop, and its judged records by stratum. */
  readonly sample?: (NonNullable<Evidence['sample']> & { readonly strata: readonly Stratum[] }) | undefined;
  /** Tallies of the dimensions of `report.slices`, of the inputs that count. */
  readonly slices?: readonly (StoredSlices[number] & { readonly name: string })[] | undefined;
  readonly isDoubted?: boolean;
}

/** Evidence that the figures of a run give its gate. */
export function evidenceOf(figures: RunFigures): Evidence {
  const { metrics, whole, classes, comparison, first, sample, slices = [], isDoubted = false } = figures;
  const { inputs, predicted, labelled, correct: right } = metrics;
  const failed = modelErrors(metrics.errors);
  const asked = predicted + failed;
  const weighed = sample && sample.strata.length > 1 ? weighedShare(sample.strata) : undefined;
  const setAside = whole === undefined ? 0 : whole.inputs - inputs;
  return {
    noun: asked > inputs ? 'record' : 'input',
    whole: { right, count: labelled, ...weighed },
    classes: new Map(
      metrics.classes.map(({ id, support: count, correct }): [string, Count] => [
        classes[id] ?? '',
        { right: correct, count },
      ]),
    ),
    slices: slices.flatMap(({ name, values, none, other }): SliceCount[] => [
      ...values.map(([value, correct, count]) => ({ name, value, count: { right: correct, count } })),
      { name, value: null, count: none },
      { name, value: undefined, count: other },
    ]),
    answered: { right: predicted, count: asked },
    change: comparison && changeOf(comparison.result),
    awaitsLabels: figures.awaitsLabels ?? false,
    labelled: { labelled, distinct: asked },
    baseline: first
      ? { run: null, isDoubted: false }
      : comparison && { run: comparison.baseline, isDoubted: comparison.isDoubted ?? false },
    isDoubted,
    setAside:
      whole === undefined || setAside === 0
        ? undefined
        : { count: setAside, of: whole.inputs, accuracy: whole.accuracy },
    sample,
  };
}

function changeOf({ cells: { bothRight, gained, lost, bothWrong } }: Comparison): Change {
  return { gained, lost, count: bothRight + gained + lost + bothWrong };
}
