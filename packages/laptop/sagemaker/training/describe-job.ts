import { withoutTrailingSlashes } from '../jobs/s3-uri.ts';
import { maxRuntimeSeconds, type SecondaryStatus, type TrainingJobRecord } from './training-job-record.ts';

/** Description of a job, with times as the caller writes them; members that the job was not given are left out. */
export function describeJob(
  job: TrainingJobRecord,
  toTime: (timeMs: number) => unknown,
): Record<string, unknown> {
  const { Tags: _tags, SessionChainingConfig: _chaining, ...input } = job.input;
  const time = (timeMs: number | undefined): unknown => (timeMs === undefined ? undefined : toTime(timeMs));
  const seconds = trainingSeconds(job);
  const described = {
    ...input,
    StoppingCondition: { ...input.StoppingCondition, MaxRuntimeInSeconds: maxRuntimeSeconds(job.input) },
    // Always there: the SDK's `attach` reads it.
    OutputDataConfig: { KmsKeyId: '', ...input.OutputDataConfig },
    EnableNetworkIsolation: input.EnableNetworkIsolation ?? false,
    EnableInterContainerTrafficEncryption: input.EnableInterContainerTrafficEncryption ?? false,
    EnableManagedSpotTraining: input.EnableManagedSpotTraining ?? false,
    TrainingJobArn: job.arn,
    TrainingJobStatus: job.status,
    SecondaryStatus: secondaryStatus(job),
    FailureReason: job.failureReason,
    ModelArtifacts: { S3ModelArtifacts: `${outputPrefix(job)}/model.tar.gz` },
    CreationTime: time(job.creationTimeMs),
    LastModifiedTime: time(job.lastModifiedTimeMs),
    TrainingStartTime: time(job.trainingStartTimeMs),
    TrainingEndTime: time(job.trainingEndTimeMs),
    TrainingTimeInSeconds: seconds,
    BillableTimeInSeconds: seconds === undefined ? undefined : billableSeconds(job, seconds),
    SecondaryStatusTransitions: job.transitions.map(({ status, message, startTimeMs, endTimeMs }) => ({
      Status: status,
      StartTime: toTime(startTimeMs),
      ...(endTimeMs === undefined ? {} : { EndTime: toTime(endTimeMs) }),
      StatusMessage: message,
    })),
    FinalMetricDataList:
      job.metrics.length === 0
        ? undefined
        : job.metrics.map(({ name, value, timeMs }) => ({
            MetricName: name,
            Value: value,
            Timestamp: toTime(timeMs),
          })),
  };
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== undefined));
}

/** The status within the status. */
export function secondaryStatus({ transitions }: TrainingJobRecord): SecondaryStatus {
  return transitions.at(-1)?.status ?? 'Starting';
}

/** `s3://bucket/prefix/<job>/output`, of the job's artifacts. */
export function outputPrefix({ input }: Pick<TrainingJobRecord, 'input'>): string {
  return `${withoutTrailingSlashes(input.OutputDataConfig.S3OutputPath)}/${input.TrainingJobName}/output`;
}

/**
 * Training time of one instance, whole seconds and at least one, without the waiting for spot instances; undefined before
 * the job has ended or if it never had instances.
 */
function trainingSeconds({
  transitions,
  trainingStartTimeMs: start,
  trainingEndTimeMs: end,
}: TrainingJobRecord): number | undefined {
  if (start === undefined || end === undefined) return undefined;
  const waitingMs = transitions
    .filter(
      ({ status, startTimeMs }) =>
        (status === 'Interrupted' || status === 'Starting') && startTimeMs >= start,
    )
    .reduce((sum, { startTimeMs, endTimeMs = end }) => sum + endTimeMs - startTimeMs, 0);
  return Math.max(1, Math.round((end - start - waitingMs) / 1000));
}

/** Price of spot instances here, as a share of the price on demand; in the cloud it changes by type, zone and hour. */
const SPOT_SHARE = 0.3;

/** SageMaker shows what spot instances save as a shorter time. */
function billableSeconds({ input }: TrainingJobRecord, seconds: number): number {
  return input.EnableManagedSpotTraining === true ? Math.max(1, Math.floor(seconds * SPOT_SHARE)) : seconds;
}
