import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { EarlyEvidence } from '../../gate/early-evidence.ts';
import { earlyEnds, judgeEarly } from '../../gate/early-gate.ts';
import type { Evidence } from '../../gate/evidence.ts';
import { evidenceOf } from '../../gate/evidence-of.ts';
import { judgeGate } from '../../gate/judge-gate.ts';
import { judgedTwice } from '../../gate/judged-twice.ts';
import { DrawnInputs } from '../../judging/cell-counts.ts';
import { Ledger } from '../../judging/ledger.ts';
import { wrongTogether } from '../../judging/neighbours.ts';
import { sampledShare, type Stratum } from '../../judging/sampled-share.ts';
import { strataOfSample } from '../../judging/strata-of-sample.ts';
import { ClassList } from '../../label/class-list.ts';
import { namedReviewers, noLabelChanges } from '../../label/label-changes.ts';
import { readingBy } from '../../label/reading.ts';
import { noBlindReview, reportedReview } from '../../metric/blind-review.ts';
import { comparisonOf } from '../../metric/comparison.ts';
import { type Metrics, metricsOf } from '../../metric/metrics.ts';
import { comparedInputs, createPairTally } from '../../metric/pair-tally.ts';
import { createTally, type Tally } from '../../metric/tally.ts';
import type { PlannedSample } from '../../plan/plan.ts';
import { roundQuestion } from '../../plan/round-question.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { totalCostUsd } from '../../price/quote.ts';
import { StepFailure } from '../../problem/cause-text.ts';
import { baselineInputs } from '../../report/baseline-inputs.ts';
import { buildReport } from '../../report/build-report.ts';
import { reportLedger } from '../../report/judged-ledger.ts';
import { reportSlices } from '../../report/judged-slices.ts';
import { shownRecords } from '../../report/page/gallery.ts';
import { reportHtml } from '../../report/page/report-html.ts';
import { PROGRAM } from '../../report/program.ts';
import { Report } from '../../report/report.ts';
import { reportComparison } from '../../report/report-comparison.ts';
import { runStatus } from '../../report/run-status.ts';
import { confusionMatrixSvg } from '../../report/svg/confusion-matrix-svg.ts';
import { MAX_DRAWN_CLASSES } from '../../report/svg/matrix-raster.ts';
import { athenaTable } from '../../report/table/athena-table.ts';
import { labelChangesText } from '../../report/text/label-changes-text.ts';
import { orderNotes } from '../../report/text/order-note.ts';
import { reportMarkdown } from '../../report/text/report-markdown.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { isDoubted } from '../../transform/batch-dependence.ts';
import { sentObject } from '../../transform/input-manifest.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { frozenJson } from '../records/drop.ts';
import { readJobRecords, sentFrom } from '../records/jobs.ts';
import { type DrawnFile, publishReport, reportJson } from '../records/report.ts';
import { baselineFigures, type RunSummary, runSummaryJson } from '../records/run-index.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { useCase } from '../use-case.ts';
import { earlyReport, type KnownFrame } from './early-report.ts';
import { type Explanations, readExplanations } from './explain-failures.ts';
import { type ImageServices, readGalleryImages } from './gallery-images.ts';
import { type MergedSums, mergeShards } from './merge-shards.ts';
import { readRuntimes } from './read-runtimes.ts';
import { readRecordTexts } from './record-texts.ts';
import { toReportJob } from './report-job.ts';
import { toReportSetup } from './report-setup.ts';
import { reportSuspects } from './report-suspects.ts';
import { sliceTally } from './slice-tally-of.ts';
import { writeReceipt } from './write-receipt.ts';

/** Cap on the size of the page, so that it can be mailed. */
const MAX_PAGE_BYTES = 2_000_000;

interface WriteReportServices extends ImageServices {
  readonly logs: LogsByEngine;
}

/** Confidence of what records are worth that come in groups, where the gate has none. */
const SHOWN_CONFIDENCE = 0.95;

/** Notes on answers that may depend on those beside them. */
const DOUBTED =
  'a bundle showed that this model answers an input together with others not as it answers it alone, and other bundles have answers made together, which may be wrong: rerun with transform.bundle "never"';
const DOUBTED_BASELINE =
  'answers of the run that this one is compared with may not be those of each input alone, as its own report says';

/** Merges the shards' tallies and writes the report in all its forms, or the report of a run that ended early. */
export const writeReport = useCase({
  /** Sent by the states `WriteReport` and, with `failure`, `ReportFailure`, and by the state machine `report-failure`. */
  input: z.object({
    run: RunParts,
    executionArn: z.string().optional(),
    startedAt: z.iso.datetime({ offset: true }),
    /** Why the run ended early. */
    failure: StepFailure.optional(),
  }),
  /** `status` goes into the message; `gate`, with the plan's `deploy`, decides whether an endpoint follows. */
  output: z.object({
    status: Report.shape.status,
    gate: z.enum(['passed', 'failed', 'none']),
    /** Key of report.json. */
    report: z.string(),
  }),
})(async ({ run, failure, ...input }, { store, clock, logs, thumbnail }: WriteReportServices) => {
  const startedAt = new Date(input.startedAt);
  const now = clock();
  const plan = await scoringPlanJson(run).read(store);
  const rescoreOf = plan === undefined ? await askedToRescore(store, run) : plan.predictions;
  // The jobs that made the predictions say why some are missing; a rescore has not paid for them.
  const made = await readJobRecords(store, rescoreOf === null ? run : RunParts.parse(rescoreOf));
  const jobs = rescoreOf === null ? made.map(toReportJob) : [];
  const sent = sentFrom(store, plan?.input ?? { bucket: store.bucket, prefix: '' });
  const [answered, { explain, ...explained }, ran] = await Promise.all([
    plan === undefined ? [] : openOutputs(store, run, plan).notes(),
    readExplanations(logs, made, (name) => sentObject(sent, name)),
    readRuntimes(logs, made),
  ]);
  // The files of a planned run were complete: the time that it waited for them, and for its turn, does not count.
  const beganAt = plan === undefined ? startedAt : new Date(plan.createdAt);
  const frame = {
    run: toRunId(run),
    rescoreOf,
    previous: plan?.previous ?? null,
    sample: plan?.sample ? toReportSample(plan.sample, plan) : null,
    program: PROGRAM,
    createdAt: now.toISOString(),
    startedAt: startedAt.toISOString(),
    seconds: Math.max(0, (now.getTime() - beganAt.getTime()) / 1000),
    costUsd: totalCostUsd(jobs),
    notes: [...(plan?.notes ?? []), ...answered, ...explained.notes, ...ran.notes],
    labels: plan?.labels.check ?? null,
    labelReading: plan?.labels.reading ?? null,
    setup: plan === undefined ? null : toReportSetup(plan, ran.runtimes),
    jobs,
  };
  const gathered =
    failure === undefined && plan !== undefined
      ? await scoredReport(store, run, { plan, frame, explain })
      : await earlyReport(store, run, failure, frame, explain);
  const report = await publishReport(reportJson(run), store, gathered, (standing) =>
    draw({ store, clock, thumbnail }, run, standing, plan),
  );
  await writeReceipt(store, run, report);
  await runSummaryJson(run, startedAt).write(store, toSummary(report));
  return { status: report.status, gate: report.gate.verdict, report: bucketLayout.reportJson(run) };
});

function toReportSample(
  { inputs, of, by, restQuoteUsd }: PlannedSample,
  plan: ScoringPlan,
): Report['sample'] {
  const early = plan.rounds && { confidence: roundQuestion(plan).confidence };
  return { inputs, of, by, restQuoteUsd, early };
}

/** The run whose predictions a run without a plan was to score again. */
async function askedToRescore(store: ObjectStore, run: RunParts): Promise<string | null> {
  const origin = (await frozenJson(run).read(store))?.origin;
  return origin?.mode === 'rescore' ? origin.of : null;
}

/** The report in the forms that people and Athena read. */
async function draw(
  services: ImageServices,
  run: RunParts,
  report: Report,
  plan: ScoringPlan | undefined,
): Promise<readonly DrawnFile[]> {
  const { store } = services;
  const page = plan?.report.images === true ? await illustrated(report, plan, services) : reportHtml(report);
  const files = [
    { key: bucketLayout.reportHtml(run), body: page, contentType: 'text/html; charset=utf-8' },
    {
      key: bucketLayout.summary(run),
      body: reportMarkdown(report),
      contentType: 'text/markdown; charset=utf-8',
    },
  ];
  if (report.records > 0)
    files.push({
      key: bucketLayout.athenaTable(run),
      body: athenaTable(
        report.run,
        `s3://${store.bucket}/${bucketLayout.rowsFolder(run)}`,
        dimensionNames(plan),
      ),
      contentType: 'text/plain; charset=utf-8',
    });
  if (report.confusion.length > 0 && report.classes.length <= MAX_DRAWN_CLASSES)
    files.push({
      key: bucketLayout.confusionMatrix(run),
      body: confusionMatrixSvg(report).markup,
      contentType: 'image/svg+xml',
    });
  return files;
}

/** The page with its records, or with as many of their images as keep it below `MAX_PAGE_BYTES`. */
async function illustrated(report: Report, plan: ScoringPlan, services: ImageServices): Promise<string> {
  const inputs = services.store.in(plan.input.bucket);
  const bare = reportHtml(report);
  const room = MAX_PAGE_BYTES - Buffer.byteLength(bare);
  const { splitType, contentType } = plan.transform;
  const lines = splitType === 'Line';
  if (lines || (splitType === 'None' && /json|csv|text/i.test(contentType))) {
    const texts = await readRecordTexts(inputs, shownRecords(report), lines);
    const page = reportHtml(report, undefined, texts);
    return Buffer.byteLength(page) > MAX_PAGE_BYTES ? bare : page;
  }
  return reportHtml(
    report,
    await readGalleryImages({ ...services, store: inputs }, shownRecords(report), room),
  );
}

async function scoredReport(
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
  const emptyTally = (): Tally =>
    createTally(new ClassList(plan.labels.classes), plan.labels.classOffset, plan.report.calibrationBins);
  const { baseline } = plan.report;
  const emptySums = (): MergedSums => ({
    tally: emptyTally(),
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
  const { failures, flips, exemplars, labels, dependence } = await mergeShards(
    store,
    run,
    { now, before, labelChanges, blindReview },
    explain,
  );
  const other = pairs && (await baselineFigures(RunParts.parse(pairs.baseline)).read(store));
  const isBaselineDoubted = other?.isDoubted ?? false;
  const worthAt = plan.gate?.confidence ?? SHOWN_CONFIDENCE;
  const dimensions = dimensionNames(plan);
  const evidenceBy = (sums: MergedSums): Evidence => {
    const { metrics, sample } = figuresOf(sums.tally, sums.ledger, plan, sums.draws);
    const result = sums.pairs && comparisonOf(sums.pairs);
    return evidenceOf({
      ...{ ledger: sums.ledger, metrics, classes: sums.tally.classes.names },
      comparison: sums.pairs && result && { pairs: sums.pairs, result, isDoubted: isBaselineDoubted },
      clustered: plan.report.clusters === null ? undefined : { confidence: worthAt },
      awaitsLabels: plan.labels.truth?.from === 'file' && plan.labels.file === null,
      sample,
      first: baseline?.run === null,
      isDoubted: isDoubted(dependence),
      slices: sums.slices?.store().map((dimension, at) => ({ ...dimension, name: dimensions[at] ?? '' })),
    });
  };
  const evidence = evidenceBy(now);
  const { metrics, sample, ends } = figuresOf(tally, ledger, plan, now.draws);
  const sliced = now.slices?.store();
  const changes =
    before !== undefined && labelChanges.compared > 0
      ? {
          ...namedReviewers(labelChanges),
          ...{ since: plan.labels.since, right: before.tally.correct, labelled: before.tally.labelled },
          review: reportedReview(blindReview) ?? null,
        }
      : undefined;
  const byNow = judgeGate(plan.gate, evidence);
  const gate =
    changes !== undefined && before !== undefined && plan.labels.gateActs && changes.seenToward > 0
      ? judgedTwice(byNow, judgeGate(plan.gate, evidenceBy(before)), labelChangesText(changes))
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
        ...{ flips, change: ends?.change },
      })
    : null;
  const suspectLabels = await reportSuspects(store, run, plan, { labels, tally, ledger });
  const status = runStatus(metrics, plan.gate?.maxErrorRate);
  const notes = [
    ...frame.notes,
    ...(isDoubted(dependence) ? [DOUBTED] : []),
    ...(isBaselineDoubted ? [DOUBTED_BASELINE] : []),
    ...orderNotes(tally),
    ...(plan.report.clusters === null ? neighbourNotes(ledger) : []),
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
      slices: sliced ? reportSlices(dimensions, sliced, sample ? sample.inputs / sample.of : 0) : null,
    },
    tally,
    metrics,
    exemplars,
  );
}

/** The figures of a tally; of a sample with accuracy and intervals of the whole drop. */
function figuresOf(
  tally: Tally,
  ledger: Ledger,
  plan: ScoringPlan,
  draws: DrawnInputs | undefined,
): {
  readonly metrics: Metrics;
  readonly sample: (NonNullable<Evidence['sample']> & { readonly strata: readonly Stratum[] }) | undefined;
  /** Ends of accuracy and change by the rounds of a run that is decided early. */
  readonly ends: Ends | undefined;
} {
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
  const { labelled, right } = ledger;
  const judged = ledger
    .classes()
    .map(({ count, ...each }) => ({ ...each, support: count, correct: each.right }));
  const ofGate = strataOfSample(sample, { labelled, correct: right, classes: judged }, idOf);
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

function neighbourNotes(ledger: Ledger): string[] {
  const times = wrongTogether(ledger);
  if (times === undefined) return [];
  return [
    `neighbours by name are wrong together ${times.toFixed(1)} times as often as chance: inputs seem to come in groups, and intervals are too narrow. Set report.clusters`,
  ];
}

function dimensionNames(plan: ScoringPlan | undefined): string[] {
  return (plan?.report.slices ?? []).map(({ name }) => name);
}

function toSummary(report: Report): RunSummary {
  return {
    schema: 1,
    run: report.run,
    status: report.status,
    endedAt: report.createdAt,
    total: report.total,
    correct: report.correct,
    accuracy: report.accuracy,
    costUsd: report.costUsd,
    gate: report.gate.verdict,
    rescoreOf: report.rescoreOf,
    sampleOf: report.sample?.of ?? null,
    labelled: report.quality?.labelled ?? null,
    seconds: report.seconds,
  };
}
