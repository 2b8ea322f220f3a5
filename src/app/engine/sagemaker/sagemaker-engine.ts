import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { SageMaker } from '../../../aws/sagemaker/sagemaker.ts';
import type { Tags } from '../../../aws/sagemaker/sagemaker-request.ts';
import type { TransformJobDescription, TransformJobSpec } from '../../../aws/sagemaker/transform-job.ts';
import { familyOf } from '../../../model/instance-families.ts';
import { costUsd } from '../../../price/quote.ts';
import { jobFailure } from '../../../problem/aws-words.ts';
import { attemptTags } from '../../../run/application-tag.ts';
import { bucketLayout } from '../../../run/bucket-layout.ts';
import { type SettingsOf, settingsOf } from '../../../transform/engine-settings.ts';
import { InstanceCapacity } from '../../../transform/instance-capacity.ts';
import type { JobRecord } from '../../../transform/job-record.ts';
import { opensFiles } from '../../../transform/one-record.ts';
import { BUNDLE_TYPES } from '../../../transform/request-limits.ts';
import type { Engine, EngineJob } from '../engine.ts';
import { sageMakerStopper } from './sagemaker-stopper.ts';
import { startJob } from './start-job.ts';

/** Calls that the engine makes. */
export interface SageMakerEngineServices {
  readonly store: Pick<ObjectStore, 'bucket'>;
  readonly sagemaker: Pick<
    SageMaker,
    'startTransformJob' | 'describeTransformJob' | 'stopTransformJob' | 'tagsOf'
  >;
  readonly clock: () => Date;
}

/** Carries out jobs as SageMaker batch transform jobs; where an instance type cannot be had, it takes the plan's next one. */
export function sageMakerEngine({ store: { bucket }, sagemaker, clock }: SageMakerEngineServices): Engine {
  return {
    async start(asked) {
      const { plan, record } = asked;
      const settings = settingsOf('sagemaker', record.engine);
      const { instanceTypes } = settingsOf('sagemaker', plan.engine);
      const tags = attemptTags(plan, record.attempt, bucket);
      const started = await startJob({
        kind: 'transform',
        name: record.jobName,
        tags,
        types: instanceTypes,
        from: Math.max(0, instanceTypes.indexOf(settings.instanceType)),
        create: (instanceType) =>
          sagemaker.startTransformJob(toTransformJob(asked, { ...settings, instanceType }, { bucket, tags })),
        describe: sagemaker.describeTransformJob,
        tagsOf: sagemaker.tagsOf,
      });
      if ('refusals' in started)
        return started.passes
          ? { status: 'busy', reasons: started.refusals }
          : { status: 'unavailable', error: new InstanceCapacity(instanceTypes, started.refusals) };
      const { job, instanceType } = started;
      return {
        status: 'started',
        record: {
          ...record,
          engine: { ...settings, instanceType },
          status: job?.status ?? 'InProgress',
          ...(job !== undefined && { createdAt: job.createdAt.toISOString() }),
        },
      };
    },
    async look(asked) {
      const job = await sagemaker.describeTransformJob(asked.record.jobName);
      return job && withDescription(asked, job, clock());
    },
    fallback({ plan, record }) {
      const settings = settingsOf('sagemaker', record.engine);
      const { instanceTypes } = settingsOf('sagemaker', plan.engine);
      const instanceType = instanceTypes[instanceTypes.indexOf(settings.instanceType) + 1];
      return instanceType === undefined
        ? { error: new InstanceCapacity(instanceTypes, [record.failureReason ?? 'no capacity']) }
        : { settings: { ...settings, instanceType } };
    },
    ...sageMakerStopper(sagemaker),
  };
}

function withDescription(
  { plan, record }: EngineJob,
  { status, failureReason, startedAt, endedAt, instanceType, instanceCount }: TransformJobDescription,
  now: Date,
): JobRecord {
  const price = plan.cost.pricesUsd[instanceType] ?? null;
  const capacity = status === 'Failed' && jobFailure(failureReason) === 'capacity';
  const from = startedAt ?? endedAt ?? now;
  const seconds = Math.max(0, ((endedAt ?? now).getTime() - from.getTime()) / 1000);
  return {
    ...record,
    status,
    engine: { ...settingsOf('sagemaker', record.engine), instanceType },
    ...(failureReason !== undefined && { failureReason }),
    ...(capacity && { capacity }),
    ...(startedAt !== undefined && { startedAt: startedAt.toISOString() }),
    ...(endedAt !== undefined && { endedAt: endedAt.toISOString() }),
    costUsd: price === null ? null : capacity ? 0 : costUsd(seconds, instanceCount, price),
  };
}

/** The transform job that carries out an attempt: everything that the plan says, nothing left to the service. */
function toTransformJob(
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
