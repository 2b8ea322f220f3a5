import { promoteModel } from '../src/app/training/promote-model.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `PromoteModel` of statemachines/training.asl.yml. */
export const handler = step(promoteModel, () => ({ store: bucket(), clock: now }));
