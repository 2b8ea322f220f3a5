import { readInputs } from '../../src/app/records/inputs.ts';
import { writeSentInputs } from '../../src/app/records/sent-inputs.ts';
import { partOfEntry } from '../../src/plan/part-of-entry.ts';
import { Plan } from '../../src/plan/plan.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { RunParts } from '../../src/run/run-id.ts';
import { exclusionOf } from '../../src/transform/exclusion.ts';
import type { MemoryObjectStore } from './memory-object-store.ts';

/** Has the jobs of a planned run send their inputs in bundles. */
export async function sendInBundles(
  store: MemoryObjectStore,
  run: RunParts,
  bundle: Omit<NonNullable<Plan['bundle']>, 'form'>,
): Promise<void> {
  const planned = Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));
  const plan: Plan = { ...planned, outputs: 'bundles', bundle: { form: 'tar', ...bundle } };
  const partOf = partOfEntry(plan);
  const limits = { largestAllowedBytes: plan.transform.largestAllowedBytes, isTooLong: () => false };
  for (const { part, input: key } of plan.jobs) {
    async function* inputs() {
      for await (const input of readInputs(store, run))
        if (exclusionOf(input, limits) === undefined && partOf(input) === part) yield input;
    }
    await writeSentInputs(store, run, plan, { key, inputs: inputs() });
  }
  store.put(bucketLayout.plan(run), JSON.stringify(plan));
}
