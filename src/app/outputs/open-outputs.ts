import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { predictedBy } from '../../plan/predicted-by.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { bundleOutputs } from './bundle-outputs.ts';
import { HEADED, LINES } from './bundle-reader.ts';
import { objectOutputs } from './object-outputs.ts';
import type { Outputs } from './outputs.ts';

/** The answers for a run's inputs from its own jobs, or from an earlier run's, now or later. */
export function openOutputs(
  store: ObjectStore,
  run: RunParts,
  plan: { readonly input: Pick<Plan['input'], 'prefix'> } & Pick<
    Plan,
    'outputs' | 'predictions' | 'continues'
  >,
): Outputs {
  const by = predictedBy(run, plan);
  const { continues } = plan;
  if (plan.outputs !== 'objects') {
    const layout = plan.outputs === 'lines' ? LINES : HEADED;
    return bundleOutputs(store, by, continues === null ? undefined : RunParts.parse(continues), layout);
  }
  const mapping = { inputPrefix: plan.input.prefix, outputPrefix: bucketLayout.predictions(by) };
  return objectOutputs(
    store,
    mapping,
    continues === null ? undefined : bucketLayout.predictions(RunParts.parse(continues)),
  );
}
