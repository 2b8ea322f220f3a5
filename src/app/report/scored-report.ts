import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Evidence } from '../../gate/evidence.ts';
import { evidenceOf } from '../../gate/evidence-of.ts';
import { judgeGate, type Verdict } from '../../gate/judge-gate.ts';
import { judgedTwice } from '../../gate/judged-twice.ts';
import { DrawnInputs } from '../../judging/cell-counts.ts';
import { Ledger } from '../../judging/ledger.ts';
import { wrongTogether } from '../../judging/neighbors.ts';
import { ClassList } from '../../label/class-list.ts';
import { namedReviewers, noLabelChanges } from '../../label/label-changes.ts';
import { noBlindReview, reportedReview } from '../../metric/blind-review.ts';
import { comparisonOf } from '../../metric/comparison.ts';
import { comparedInputs, createPairTally } from '../../metric/pair-tally.ts';
import { createTally } from '../../metric/tally.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { baselineInputs } from '../../report/baseline-inputs.ts';
import { buildReport } from '../../report/build-report.ts';
import { reportLedger } from '../../report/judged-ledger.ts';
import { reportSlices } from '../../report/judged-slices.ts';
import type { Report } from '../../report/report.ts';
import { reportComparison } from '../../report/report-comparison.ts';
import { runStatus } from '../../report/run-status.ts';
import { labelChangesText } from '../../report/text/label-changes-text.ts';
import { orderNotes } from '../../report/text/order-note.ts';
import { RunParts } from '../../run/run-id.ts';
import { decimal } from '../../text/figures.ts';
import { isDoubted } from '../../transform/batch-dependence.ts';
import { baselineFigures } from '../records/run-index.ts';
import type { KnownFrame } from './early-report.ts';
import type { Explanations } from './explain-failures.ts';
import { type MergedSums, mergeShards } from './merge-shards.ts';
import { reportSuspects } from './report-suspects.ts';
import { type RunFigures, runFigures } from './run-figures.ts';
import { sliceTally } from './slice-tally-of.ts';

/** Confidence for the worth of records that come in groups, if the gate sets no confidence. */
const SHOWN_CONFIDENCE = 0.95;

/** Notes on answers that may depend on the other inputs in the request. */
const DOUBTED =
  'a bundle showed that this model answers an input differently together with others than on its own, and other ' +
  'bundles have answers made together, which may be wrong: rerun with transform.bundle "never"';
const DOUBTED_BASELINE =
  'answers of the run that this one is compared with may depend on the other inputs, as its own report says';

/** Merges the shards of a run with counted predictions, and judges it. */
export async function scoredReport(
  store: ObjectStore,
  run: RunParts,
  {
    plan,
    frame,
    explain,
  }: {
    readonly plan: ScoringPlan;
    readonly frame: KnownFrame;
    readonly explain: Explanations['explain'];
  },
): Promise<Report> {
  const { classes, classOffset } = plan.labels;
  const { baseline } = plan.report;
  const emptySums = (): MergedSums => ({
    tally: createTally(new ClassList(classes), classOffset),
    ledger: new Ledger(),
    slices: sliceTally(plan),
    draws: plan.rounds === null ? undefined : new DrawnInputs(),
    pairs: baseline === null || baseline.run === null ? undefined : createPairTally(baseline.run),
  });
  const now = emptySums();
  const { tally, ledger, pairs } = now;
  const isCompared = plan.labels.since.length > 0;
  const before = isCompared ? emptySums() : undefined;
  const labelChanges = noLabelChanges();
  const blindReview = noBlindReview();
  const { failures, flips, exemplars, answers, labels, dependence } = await mergeShards(
    store,
    run,
    { now, before, labelChanges, blindReview },
    explain,
  );
  const other = pairs && (await baselineFigures(RunParts.parse(pairs.baseline)).read(store));
  const isBaselineDoubted = other?.isDoubted ?? false;
  const worthAt = plan.gate?.confidence ?? SHOWN_CONFIDENCE;
  const dimensions = plan.report.slices.map(({ name }) => name);
  const evidenceOfSums = (sums: MergedSums, { metrics, sample }: RunFigures): Evidence => {
    const result = sums.pairs && comparisonOf(sums.pairs);
    return evidenceOf({
      ledger: sums.ledger,
      metrics,
      classes: sums.tally.classes.names,
      comparison: sums.pairs && result && { pairs: sums.pairs, result, isDoubted: isBaselineDoubted },
      clustered: plan.report.clusters === null ? undefined : { confidence: worthAt },
      awaitsLabels: plan.labels.truth?.from === 'file' && plan.labels.file === null,
      sample,
      first: baseline?.run === null,
      isDoubted: isDoubted(dependence),
      slices: sums.slices?.store().map((dimension, at) => ({ ...dimension, name: dimensions[at] ?? '' })),
    });
  };
  const figures = runFigures(plan, now);
  const { metrics, sample, ends } = figures;
  const sliced = now.slices?.store();
  const changes =
    before !== undefined && labelChanges.compared > 0
      ? {
          ...namedReviewers(labelChanges),
          since: plan.labels.since,
          right: before.tally.correct,
          labeled: before.tally.labeled,
          review: reportedReview(blindReview) ?? null,
        }
      : undefined;
  const byNow = judgeGate(plan.gate, evidenceOfSums(now, figures));
  const judgedBefore = (sums: MergedSums): Verdict =>
    judgeGate(plan.gate, evidenceOfSums(sums, runFigures(plan, sums)));
  const gate =
    changes !== undefined && before !== undefined && plan.labels.gateActs && changes.seenToward > 0
      ? judgedTwice(byNow, judgedBefore(before), labelChangesText(changes))
      : byNow;
  const comparison = pairs
    ? reportComparison(pairs, comparisonOf(pairs), {
        replay: baseline?.asked === 'replay',
        baselineInputs: other
          ? baselineInputs(other, {
              inputs: metrics.inputs,
              compared: comparedInputs(pairs),
              leavesOut: plan.setAside !== null,
            })
          : null,
        flips,
        change: ends?.change,
      })
    : null;
  const suspectLabels = await reportSuspects(store, run, plan, { labels, tally, ledger });
  const status = runStatus(metrics, plan.gate?.maxErrorRate);
  const notes = [
    ...frame.notes,
    ...(isDoubted(dependence) ? [DOUBTED] : []),
    ...(isBaselineDoubted ? [DOUBTED_BASELINE] : []),
    ...orderNotes(tally),
    ...(plan.report.clusters === null ? neighborNotes(ledger) : []),
  ];
  return buildReport(
    {
      ...frame,
      notes,
      isDoubted: isDoubted(dependence),
      ...status,
      gate,
      problems: [],
      failures,
      comparison,
      labelChanges: changes ?? null,
      suspectLabels,
      ledger: reportLedger(ledger, {
        clusters: plan.report.clusters,
        confidence: worthAt,
        hidesCopies: plan.transform.kmsKeyArn !== null,
      }),
      answers,
      slices: sliced ? reportSlices(dimensions, sliced, sample ? sample.inputs / sample.of : 0) : null,
    },
    tally,
    metrics,
    exemplars,
  );
}

function neighborNotes(ledger: Ledger): string[] {
  const times = wrongTogether(ledger);
  if (times === undefined) return [];
  return [
    `neighbors by name are wrong together ${decimal(times, 1)} times as often as chance: inputs seem to come in ` +
      'groups, and intervals are too narrow. Set report.clusters',
  ];
}
