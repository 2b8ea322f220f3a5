import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { Receipt } from '../../report/receipt.ts';
import { Report } from '../../report/report.ts';
import { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { type Created, jsonDocument, type Readable } from './document.ts';

/** The report of a run. */
export const reportJson = jsonDocument({ key: bucketLayout.reportJson, schema: Report, write: 'once' });

/** Versions and inputs that made a run, for users and their tools: no step reads it. */
export const receiptJson = jsonDocument({ key: bucketLayout.receipt, schema: Receipt, write: 'replace' });

/** The report of a training. */
export const trainingReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: TrainingReport,
  write: 'once',
});

/** The part of a judging run's report that the training's report shows. */
export const judgedReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Report.pick({
    ...{ total: true, accuracy: true, costUsd: true, gate: true, comparison: true },
    ...{ classes: true, suspectLabels: true },
  }),
  write: 'once',
});

/** A file drawn from a report. */
export interface DrawnFile {
  readonly key: string;
  readonly body: string;
  readonly contentType: string;
}

/**
 * Writes a run's report and the files drawn from it. The first report of a run counts: when an execution is stopped, the running
 * function may still write its own while the failure is reported, and report, pages and message must agree.
 *
 * @param draw called before the report is written, so that a report that cannot be drawn is not stored
 * @returns the stored report
 */
export async function publishReport<R>(
  document: Readable<R> & Created<R>,
  store: ObjectStore,
  report: R,
  draw: (report: R) => Promise<readonly DrawnFile[]> | readonly DrawnFile[],
): Promise<R> {
  const own = await draw(report);
  const isFirst = await document.create(store, report);
  const standing = isFirst ? report : await document.require(store);
  const files = isFirst ? own : await draw(standing);
  await Promise.all(files.map(({ key, body, contentType }) => store.write(key, body, { contentType })));
  return standing;
}
