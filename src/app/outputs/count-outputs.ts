import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import type { OutputMapping } from '../../transform/output-key.ts';
import { estimateProgress, EXACT_OBJECTS, type Progress } from '../../transform/progress.ts';
import type { CountedPlan, Outputs } from './outputs.ts';

/** Progress of a run: its outputs counted, or, of a large run, looked up for the job's sample of inputs. */
export async function countOutputs(
  {
    store,
    mapping,
    lookUp,
  }: { readonly store: ObjectStore; readonly mapping: OutputMapping } & Pick<Outputs, 'lookUp'>,
  plan: CountedPlan,
  { sample, objects, outputsBefore }: JobRecord,
): Promise<Progress> {
  if (plan.objects <= EXACT_OBJECTS) {
    let done = 0;
    for await (const _output of store.list(mapping.outputPrefix)) done += 1;
    return { done: Math.min(done, plan.objects), total: plan.objects, approximate: false };
  }
  let found = 0;
  for await (const [, answer] of lookUp(sample)) if (answer !== undefined) found += 1;
  return estimateProgress(
    { found, of: sample.length },
    { objects, before: outputsBefore, total: plan.objects },
  );
}
