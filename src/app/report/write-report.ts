import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { PlannedSample } from '../../plan/plan.ts';
import { roundQuestion } from '../../plan/round-question.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import { totalCostUsd } from '../../price/quote.ts';
import { StepFailure } from '../../problem/cause-text.ts';
import { shownRecords } from '../../report/page/gallery.ts';
import { reportHtml } from '../../report/page/report-html.ts';
import { PROGRAM } from '../../report/program.ts';
import { Report } from '../../report/report.ts';
import { confusionMatrixSvg } from '../../report/svg/confusion-matrix-svg.ts';
import { MAX_DRAWN_CLASSES } from '../../report/svg/matrix-raster.ts';
import { athenaTable } from '../../report/table/athena-table.ts';
import { reportMarkdown } from '../../report/text/report-markdown.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts, toRunId } from '../../run/run-id.ts';
import { sentObject } from '../../transform/input-manifest.ts';
import { opensFiles } from '../../transform/one-record.ts';
import type { LogsByEngine } from '../engine/engine-logs.ts';
import { openOutputs } from '../outputs/open-outputs.ts';
import { frozenJson } from '../records/drop.ts';
import { sentFrom } from '../records/job-inputs.ts';
import { readJobRecords } from '../records/jobs.ts';
import { type DrawnFile, publishReport } from '../records/publish-report.ts';
import { reportJson } from '../records/report.ts';
import { type RunSummary, runSummaryJson } from '../records/run-index.ts';
import { scoringPlanJson } from '../records/scoring-plan.ts';
import { useCase } from '../use-case.ts';
import { earlyReport } from './early-report.ts';
import { readExplanations } from './explain-failures.ts';
import { type ImageServices, readGalleryImages } from './gallery-images.ts';
import { readRuntimes } from './read-runtimes.ts';
import { readRecordTexts } from './record-texts.ts';
import { toReportJob } from './report-job.ts';
import { toReportSetup } from './report-setup.ts';
import { scoredReport } from './scored-report.ts';
import { writeReceipt } from './write-receipt.ts';

/** Cap on the size of the page, so that it can be mailed. */
const MAX_PAGE_BYTES = 2_000_000;

interface WriteReportServices extends ImageServices {
  readonly logs: LogsByEngine;
}

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
  const stopped = made.flatMap(({ stopReason }) => stopReason ?? []);
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
    notes: [...stopped, ...(plan?.notes ?? []), ...answered, ...explained.notes, ...ran.notes],
    labels: plan?.labels.check ?? null,
    labelReading: plan?.labels.reading ?? null,
    task: plan?.labels.task ?? 'classification',
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

/** The run with the predictions that a run without a plan was to score again. */
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
        (plan?.report.slices ?? []).map(({ name }) => name),
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
  if (opensFiles(plan.transform) || (splitType === 'None' && /json|csv|text/i.test(contentType))) {
    const texts = await readRecordTexts(inputs, shownRecords(report));
    const page = reportHtml(report, undefined, texts);
    return Buffer.byteLength(page) > MAX_PAGE_BYTES ? bare : page;
  }
  return reportHtml(
    report,
    await readGalleryImages({ ...services, store: inputs }, shownRecords(report), room),
  );
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
    gateIsSet: report.gate.isSet,
    rescoreOf: report.rescoreOf,
    sampleOf: report.sample?.of ?? null,
    labeled: report.quality?.labeled ?? null,
    seconds: report.seconds,
  };
}
