import { bundleInputs } from '../src/app/inputs/bundle-inputs.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** Child `BundleInputs` of the Distributed Map `BundleInputs` in statemachines/batch-inference.asl.yml. */
export const handler = step(bundleInputs, () => ({ store: bucket() }));
