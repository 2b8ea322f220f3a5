import { measureTraining } from '../src/app/training/measure-training.ts';
import { writeTrainingReport } from '../src/app/training/write-training-report.ts';
import { counted } from './runtime/metrics.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** States `WriteTrainingReport` and `ReportFailure` of statemachines/training.asl.yml. */
export const handler = step(
  writeTrainingReport,
  () => ({ store: bucket(), clock: now }),
  counted(({ run }, _written, { store }) => measureTraining(store, run)),
);
