import type { ObjectStore } from '../aws/object-store.ts';
import { bucketLayout } from '../drop/bucket-layout.ts';
import type { RunParts } from '../drop/run-id.ts';
import { Plan } from '../plan/plan.ts';
import type { ReportSetup } from '../report/report.ts';

/** The plan of a run; undefined where the run ended before it had one. */
export async function findRunPlan(store: ObjectStore, run: RunParts): Promise<Plan | undefined> {
  const text = await store.readText(bucketLayout.plan(run));
  return text === undefined ? undefined : Plan.parse(JSON.parse(text));
}

/** What the report says of the plan. */
export function toReportSetup({ model, input, transform, cost }: Plan): ReportSetup {
  return {
    modelName: model.name,
    modelSha256: model.sha256,
    artifact: model.artifact,
    imageUri: model.imageUri,
    framework: model.framework,
    frameworkVersion: model.frameworkVersion,
    input: `s3://${input.bucket}/${input.prefix}`,
    transform: {
      contentType: transform.contentType,
      accept: transform.accept,
      instanceTypes: transform.instanceTypes.join(', '),
      instanceCount: transform.instanceCount,
      maxConcurrentTransforms: transform.maxConcurrentTransforms,
      maxPayloadInMB: transform.maxPayloadInMB,
      splitType: transform.splitType,
      batchStrategy: transform.batchStrategy,
      assembleWith: transform.assembleWith,
      invocationsTimeoutInSeconds: transform.invocationsTimeoutInSeconds,
      invocationsMaxRetries: transform.invocationsMaxRetries,
    },
    quoteUsd: cost.quoteUsd,
  };
}
