import type { Tags } from '../../../aws/sagemaker/sagemaker-request.ts';
import type { TransformJobSpec } from '../../../aws/sagemaker/transform-job.ts';
import { familyOf } from '../../../model/instance-families.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { type SettingsOf, settingsOf } from '../../../transform/engine-settings.ts';
import { opensFiles } from '../../../transform/one-record.ts';
import { BUNDLE_TYPES } from '../../../transform/request-limits.ts';
import type { EngineJob } from '../engine.ts';

/** The transform job that carries out an attempt: everything that the plan says, nothing left to the service. */
export function toTransformJob(
  { run, plan, record }: EngineJob,
  { instanceType, instanceCount, maxConcurrentTransforms, maxPayloadInMB }: SettingsOf<'sagemaker'>,
  { bucket, tags }: { readonly bucket: string; readonly tags: Tags },
): TransformJobSpec {
  const { model, transform, bundle } = plan;
  const engine = settingsOf('sagemaker', plan.engine);
  const { kmsKeyArn } = transform;
  const cut = cutOf(plan);
  return {
    name: record.jobName,
    modelName: model.name,
    input: { kind: 'manifest', uri: `s3://${bucket}/${record.input}` },
    // The bundle itself states the type of its inputs.
    contentType: (bundle && BUNDLE_TYPES[bundle.form]) ?? transform.contentType,
    splitType: cut ?? transform.splitType,
    // Observed jobs name a path without a slash at the end; with one, keys of outputs might have two.
    outputUri: `s3://${bucket}/${bucketLayout.predictions(run)}`.replace(/\/$/, ''),
    accept: transform.accept,
    assembleWith: cut ?? transform.assembleWith,
    instanceType,
    instanceCount,
    ...(engine.amiVersion !== null && { amiVersion: engine.amiVersion }),
    maxConcurrentTransforms,
    maxPayloadInMB,
    // With many records in a request, nobody could tell which part of the answer belongs to which.
    batchStrategy: cut === undefined ? transform.batchStrategy : 'SingleRecord',
    invocationsTimeoutInSeconds: engine.invocationsTimeoutInSeconds,
    invocationsMaxRetries: engine.invocationsMaxRetries,
    environment: engine.environment,
    tags,
    ...(kmsKeyArn !== null && { outputKmsKeyArn: kmsKeyArn }),
    // SageMaker refuses a key for machines that have disks of their own.
    ...(kmsKeyArn !== null && !familyOf(instanceType).disks && { volumeKmsKeyArn: kmsKeyArn }),
  };
}

/** How SageMaker cuts the records of files that are opened: objects of lines into those, and requests of many not at all. */
function cutOf({ transform, bundle }: EngineJob['plan']): 'Line' | 'None' | undefined {
  if (!opensFiles(transform)) return undefined;
  return bundle?.form === 'lines' ? 'Line' : 'None';
}
