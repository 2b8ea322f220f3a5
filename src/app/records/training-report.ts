import { TrainingReport } from '../../report/training/training-report.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The report of a training. */
export const trainingReportJson = jsonDocument({
  key: bucketLayout.reportJson,
  schema: TrainingReport,
  write: 'once',
});
