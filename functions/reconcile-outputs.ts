import { randomUUID } from 'node:crypto';
import { reconcileOutputs } from '../src/app/transform/reconcile-outputs.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `ReconcileOutputs` of statemachines/batch-inference.asl.yml. */
export const handler = step(reconcileOutputs, () => ({ store: bucket(), clock: now, newId: randomUUID }));
