import { indexTars } from '../src/app/inputs/index-tars.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** Child `IndexTar` of the Distributed Map `IndexTars` in statemachines/batch-inference.asl.yml. */
export const handler = step(indexTars, (leftMs) => ({ store: bucket(), leftMs }));
