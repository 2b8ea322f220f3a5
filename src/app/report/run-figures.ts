import type { EarlyEvidence } from '../../gate/early-evidence.ts';
import { earlyEnds, judgeEarly } from '../../gate/early-gate.ts';
import type { Evidence } from '../../gate/evidence.ts';
import type { DrawnInputs } from '../../judging/cell-counts.ts';
import type { Ledger } from '../../judging/ledger.ts';
import { sampledShare, type Stratum } from '../../judging/sampled-share.ts';
import { strataOfSample } from '../../judging/strata-of-sample.ts';
import { readingBy } from '../../label/reading.ts';
import { type Metrics, metricsOf } from '../../metric/metrics.ts';
import { roundQuestion } from '../../plan/round-question.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import type { MergedSums } from './merge-shards.ts';

/** Figures of a run, and what its gate needs to know of the sample that stands for the drop. */
export interface RunFigures {
  readonly metrics: Metrics;
  readonly sample: (NonNullable<Evidence['sample']> & { readonly strata: readonly Stratum[] }) | undefined;
  /** Limits of accuracy and change by the rounds of a run that is decided early. */
  readonly ends: Ends | undefined;
}

/** The figures of the sums of a run; of a sample with accuracy and intervals of the whole drop. */
export function runFigures(
  plan: ScoringPlan,
  { tally, ledger, draws }: Pick<MergedSums, 'tally' | 'ledger' | 'draws'>,
): RunFigures {
  const { sample } = plan;
  const { topK } = plan.report;
  if (sample === null) return { metrics: metricsOf(tally, topK), sample: undefined, ends: undefined };
  const { inputs, of } = sample;
  // Intervals of a part that was drawn until it sufficed would not hold.
  const metrics = metricsOf(tally, draws === undefined ? topK : [], inputs / of);
  const { classes } = tally;
  const reading = readingBy(plan.labels.classes, plan.labels.reading?.numbers ?? 'names');
  const idOf = (label: string): number | undefined =>
    classes.has(label) ? classes.label(label, reading) : reading.resolve(label);
  const strata = strataOfSample(sample, metrics, idOf);
  const { labeled, right } = ledger;
  const judged = ledger
    .classes()
    .map(({ count, ...each }) => ({ ...each, support: count, correct: each.right }));
  const ofGate = strataOfSample(sample, { labeled, correct: right, classes: judged }, idOf);
  const { early, ends } = draws === undefined ? {} : judgedEarly(plan, draws, ledger);
  const { share: accuracy, interval } = sampledShare(strata) ?? {
    share: metrics.accuracy,
    interval: metrics.accuracyInterval,
  };
  const accuracyInterval = ends?.accuracy ?? interval;
  return {
    metrics: { ...metrics, accuracy, accuracyInterval },
    sample: { inputs, of, strata: ofGate, early },
    ends,
  };
}

type Ends = ReturnType<typeof earlyEnds>;

/** Evidence of the rounds so far for the whole drop, by the answers of those that were sent whole. */
function judgedEarly(
  plan: ScoringPlan,
  draws: DrawnInputs,
  { clusters }: Ledger,
): { readonly early: EarlyEvidence; readonly ends: Ends } {
  const question = roundQuestion(plan);
  const stopped = plan.rounds?.stopped ?? null;
  const batches = { ...draws.batches(question.parts.length, stopped?.upTo), worth: clusters.worth() };
  const { confidence } = question;
  const early = { ...judgeEarly(question, batches), confidence, stopped: stopped?.reason ?? null };
  return { early, ends: earlyEnds(question, batches) };
}
