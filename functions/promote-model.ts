import { promoteModel } from '../src/app/training/promote-model.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `PromoteModel` of statemachines/training.asl.yml. */
export const handler = step(promoteModel, () => ({ store: bucket(), clock: now }));
