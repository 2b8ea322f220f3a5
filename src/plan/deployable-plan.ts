import * as z from 'zod';
import { RunId } from '../run/run-id.ts';
import { DeployedPlan } from './deployed-plan.ts';
import { PlannedModel } from './planned-model.ts';

/** The fields of a plan by which the model of its run is deployed. */
export const DeployablePlan = DeployedPlan.extend({
  run: RunId,
  model: PlannedModel,
  transform: DeployedPlan.shape.transform.extend({ kmsKeyArn: z.string().nullable() }),
  judgedByDrop: z.array(z.string()),
});
export type DeployablePlan = z.infer<typeof DeployablePlan>;
