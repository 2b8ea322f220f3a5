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

/** The part of a judging run's report that the training's report shows. */
export const judgedReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: Report.pick({ total: true, accuracy: true, costUsd: true, gate: true, comparison: true }),
  write: 'once',
});
