import { Report } from '../../report/report.ts';
import { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The report of a training. */
export const trainingReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: TrainingReport,
  write: 'once',
});

/** What the report of a training takes over from that of the run which judged its model. */
export const judgedReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Report.pick({ total: true, accuracy: true, costUsd: true, gate: true, comparison: true }),
  write: 'once',
});
