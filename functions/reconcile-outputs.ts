import { randomUUID } from 'node:crypto';
import { reconcileOutputs } from '../src/app/transform/reconcile-outputs.ts';
import { engineLogs } from './runtime/engine-logs.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `ReconcileOutputs` of statemachines/batch-inference.asl.yml. */
export const handler = step(reconcileOutputs, () => ({
  store: bucket(),
  clock: now,
  newId: randomUUID,
  logs: engineLogs(),
}));
