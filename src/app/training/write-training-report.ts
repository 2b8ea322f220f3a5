import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { StepFailure } from '../../problem/cause-text.ts';
import { trainingHtml } from '../../report/training/training-html.ts';
import { trainingMarkdown } from '../../report/training/training-markdown.ts';
import { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { publishReport } from '../records/publish-report.ts';
import { type RunSummary, runSummaryJson } from '../records/run-index.ts';
import { trainingReportJson } from '../records/training-report.ts';
import { useCase } from '../use-case.ts';
import { gatherTrainingReport } from './gather-training-report.ts';

interface WriteTrainingReportServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

/** State `WriteTrainingReport`: writes the report of a training in all its forms, also of one that ended early. */
export const writeTrainingReport = useCase({
  /** Sent by the states `WriteTrainingReport` and, with `failure`, `ReportFailure`, and by the state machine `report-failure`. */
  input: z.object({
    run: RunParts,
    executionArn: z.string().optional(),
    startedAt: z.iso.datetime({ offset: true }),
    /** Why the training ended early. */
    failure: StepFailure.optional(),
  }),
  /** Status of the report that stands, for the message. */
  output: z.object({ status: TrainingReport.shape.status }),
})(async ({ run, startedAt, failure }, { store, clock }: WriteTrainingReportServices) => {
  const begun = new Date(startedAt);
  const gathered = await gatherTrainingReport(store, run, { begun, now: clock(), failure });
  const report = await publishReport(trainingReportJson(run), store, gathered, (standing) => [
    {
      key: bucketLayout.reportHtml(run),
      body: trainingHtml(standing),
      contentType: 'text/html; charset=utf-8',
    },
    {
      key: bucketLayout.summary(run),
      body: trainingMarkdown(standing),
      contentType: 'text/markdown; charset=utf-8',
    },
  ]);
  await runSummaryJson(run, begun).write(store, toSummary(report));
  return { status: report.status };
});

function toSummary(report: TrainingReport): RunSummary {
  return {
    schema: 1,
    run: report.run,
    status: report.status,
    endedAt: report.createdAt,
    total: report.lineage.data.objects,
    correct: null,
    accuracy: report.evaluation?.accuracy ?? null,
    costUsd: report.costUsd,
    gate: report.evaluation?.verdict ?? 'none',
    gateIsSet: report.evaluation?.isSet ?? false,
    rescoreOf: null,
    sampleOf: null,
    labeled: null,
    seconds: report.seconds,
  };
}
