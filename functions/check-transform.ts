import { checkTransform } from '../src/app/transform/check-transform.ts';
import { bucket } from './runtime/bucket.ts';
import { engines } from './runtime/engines.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `CheckTransform` of statemachines/batch-inference.asl.yml. */
export const handler = step(checkTransform, () => ({ store: bucket(), engines: engines(), clock: now }));
