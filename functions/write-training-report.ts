import { measureTraining } from '../src/app/training/measure-training.ts';
import {
  writeTrainingReport,
  WriteTrainingReportInput,
  WriteTrainingReportOutput,
} from '../src/app/training/write-training-report.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** States `WriteTrainingReport` and `ReportFailure` of statemachines/training.asl.yml. */
export const handler = step({
  input: WriteTrainingReportInput,
  output: WriteTrainingReportOutput,
  services: () => ({ store: bucket(), clock: now }),
  run: writeTrainingReport,
  measure: ({ run }, _written, { store }) => measureTraining(store, run),
});
