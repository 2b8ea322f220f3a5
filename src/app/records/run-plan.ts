import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { Plan } from '../../plan/plan.ts';
import type { ReportSetup } from '../../report/report.ts';

const planned = Plan.shape;

/** What scoring and report need of a plan, so that a plan of the release before can still be read. */
export const ScoringPlan = z.object({
  model: planned.model.pick({
    name: true,
    artifact: true,
    sha256: true,
    imageUri: true,
    framework: true,
    frameworkVersion: true,
  }),
  input: planned.input.pick({ bucket: true, prefix: true }),
  transform: planned.transform.pick({
    contentType: true,
    accept: true,
    instanceTypes: true,
    instanceCount: true,
    maxConcurrentTransforms: true,
    maxPayloadInMB: true,
    splitType: true,
    batchStrategy: true,
    assembleWith: true,
    dataProcessing: true,
    invocationsTimeoutInSeconds: true,
    invocationsMaxRetries: true,
  }),
  labels: planned.labels,
  report: planned.report,
  gate: planned.gate,
  cost: planned.cost.pick({ quoteUsd: true }),
  notes: planned.notes,
  objects: planned.objects.default(0),
});
export type ScoringPlan = z.infer<typeof ScoringPlan>;

/** The plan of a run; undefined where the run ended before it had one. */
export async function findRunPlan(store: ObjectStore, run: RunParts): Promise<ScoringPlan | undefined> {
  const text = await store.readText(bucketLayout.plan(run));
  return text === undefined ? undefined : ScoringPlan.parse(JSON.parse(text));
}

/** What the report says of the plan. @param runtimes what the containers say that they run */
export function toReportSetup(
  { model, input, transform, cost }: ScoringPlan,
  runtimes: readonly string[],
): ReportSetup {
  const { instanceTypes, dataProcessing, ...settings } = transform;
  return {
    modelName: model.name,
    modelSha256: model.sha256,
    artifact: model.artifact,
    imageUri: model.imageUri,
    runtimes: [...runtimes],
    framework: model.framework,
    frameworkVersion: model.frameworkVersion,
    input: `s3://${input.bucket}/${input.prefix}`,
    transform: {
      ...settings,
      instanceTypes: instanceTypes.join(', '),
      ...(dataProcessing && {
        inputFilter: dataProcessing.inputFilter,
        joinSource: dataProcessing.joinSource,
      }),
    },
    quoteUsd: cost.quoteUsd,
  };
}
