import { registerModel } from '../src/app/training/register-model.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `RegisterModel` of statemachines/training.asl.yml. */
export const handler = step(registerModel, () => ({ store: bucket() }));
