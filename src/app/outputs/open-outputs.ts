import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { objectOutputs } from './object-outputs.ts';
import type { Outputs } from './outputs.ts';

/** The answers that a run's jobs have left, or will leave. @param inputPrefix of the run's inputs, ending in `/` */
export function openOutputs(store: ObjectStore, run: RunParts, inputPrefix: string): Outputs {
  return objectOutputs(store, { inputPrefix, outputPrefix: bucketLayout.predictions(run) });
}
