import { checkTransform } from '../src/app/transform/check-transform.ts';
import { engines } from './runtime/engines.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `CheckTransform` of statemachines/batch-inference.asl.yml. */
export const handler = step(checkTransform, () => ({ store: bucket(), engines: engines(), clock: now }));
