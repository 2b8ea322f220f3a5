import { bucketLayout } from '../../run/bucket-layout.ts';
import { TrainingPlan } from '../../training/training-plan.ts';
import { jsonDocument } from './document.ts';

/** The plan of a training. */
export const trainingPlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: TrainingPlan,
  write: 'replace',
  indent: 2,
});
