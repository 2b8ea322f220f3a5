import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import type { SageMaker } from '../../../aws/sagemaker/sagemaker.ts';
import type { TransformJobDescription } from '../../../aws/sagemaker/transform-job.ts';
import { costUsd } from '../../../price/quote.ts';
import { jobFailure } from '../../../problem/aws-words.ts';
import { attemptTags } from '../../../run/application-tag.ts';
import { settingsOf } from '../../../transform/engine-settings.ts';
import { InstanceCapacity } from '../../../transform/instance-capacity.ts';
import type { JobRecord } from '../../../transform/job-record.ts';
import type { Engine, EngineJob } from '../engine.ts';
import { sageMakerStopper } from './sagemaker-stopper.ts';
import { startJob } from './start-job.ts';
import { toTransformJob } from './to-transform-job.ts';

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
