import { packageSource } from '../src/app/training/package-source.ts';
import { bucket } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `PackageSource` of statemachines/training.asl.yml. */
export const handler = step(packageSource, () => ({ store: bucket() }));
