import { randomUUID } from 'node:crypto';
import { planTraining } from '../src/app/training/plan-training.ts';
import { serviceQuotas } from '../src/aws/account/service-quotas.ts';
import { resourceTags } from './runtime/resource-tags.ts';
import { bucket, now } from './runtime/services.ts';
import { stackSettings } from './runtime/stack-settings.ts';
import { step } from './runtime/step.ts';

/** State `PlanTraining` of statemachines/training.asl.yml. */
export const handler = step(planTraining, () => ({
  store: bucket(),
  quotas: serviceQuotas,
  clock: now,
  newId: randomUUID,
  settings: { ...stackSettings('TRAINING_ROLE_ARN'), resourceTags: resourceTags() },
}));
