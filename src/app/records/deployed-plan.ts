import { DeployedPlan } from '../../plan/deployed-plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** The fields of a run's plan that its endpoint needs. */
export const deployedPlanJson = jsonDocument({
  key: bucketLayout.plan,
  schema: DeployedPlan,
  write: 'elsewhere',
});
