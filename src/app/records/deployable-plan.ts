import { DeployablePlan } from '../../plan/deployable-plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The fields of a run's plan by which it is deployed. */
export const deployablePlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: DeployablePlan,
  write: 'elsewhere',
});
