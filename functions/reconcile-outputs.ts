import { randomUUID } from 'node:crypto';
import {
  reconcileOutputs,
  ReconcileOutputsInput,
  ReconcileOutputsOutput,
} from '../src/app/transform/reconcile-outputs.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `ReconcileOutputs` of statemachines/batch-inference.asl.yml. */
export const handler = step({
  input: ReconcileOutputsInput,
  output: ReconcileOutputsOutput,
  services: () => ({ store: bucket(), clock: now, newId: randomUUID }),
  run: reconcileOutputs,
});
