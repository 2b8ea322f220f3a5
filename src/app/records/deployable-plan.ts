import { DeployablePlan } from '../../plan/deployable-plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The fields of a run's plan by which it is deployed; the plan itself is written by another document. */
export const deployablePlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: DeployablePlan,
  write: 'replace',
});
