import { ScoringPlan } from '../../plan/scoring-plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The fields of a plan that scoring and report read. */
export const scoringPlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: ScoringPlan,
  write: 'elsewhere',
});
