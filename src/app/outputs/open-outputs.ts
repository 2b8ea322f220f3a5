import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Plan } from '../../plan/plan.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunParts } from '../../run/run-id.ts';
import { objectOutputs } from './object-outputs.ts';
import type { Outputs } from './outputs.ts';

/** The run whose jobs have made a run's predictions: itself, unless it scores those of another one again. */
export function predictedBy(run: RunParts, { predictions }: Pick<Plan, 'predictions'>): RunParts {
  return predictions === null ? run : RunParts.parse(predictions);
}

/** The answers for a run's inputs that its jobs, or those of the run before, have left or will leave. */
export function openOutputs(
  store: ObjectStore,
  run: RunParts,
  plan: { readonly input: Pick<Plan['input'], 'prefix'> } & Pick<Plan, 'predictions' | 'continues'>,
): Outputs {
  const outputPrefix = bucketLayout.predictions(predictedBy(run, plan));
  const mapping = { inputPrefix: plan.input.prefix, outputPrefix };
  const { continues } = plan;
  return objectOutputs(
    store,
    mapping,
    continues === null ? undefined : bucketLayout.predictions(RunParts.parse(continues)),
  );
}
