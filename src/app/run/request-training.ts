import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId, type RunParts } from '../../run/run-id.ts';
import { frozenSource, newestRuns } from '../records/run-index.ts';
import { trainingRequestJson } from '../records/training-request.ts';

/** Values of hyperparameters that a training drop may set. */
export type Hyperparameters = Readonly<Record<string, string | number | boolean>>;

/**
 * Starts a training by writing into its drop what a user would: job.json, which opens the run, and `_READY`, so that it does not
 * wait for further files.
 *
 * @param training of the drop's open generation
 */
export async function requestTraining(
  store: ObjectStore,
  training: RunParts,
  {
    data,
    hyperparameters,
  }: {
    /** S3 URI of a prefix; undefined if the files are in the drop. */
    readonly data?: string | undefined;
    readonly hyperparameters: Hyperparameters;
  },
): Promise<void> {
  const isSet = Object.keys(hyperparameters).length > 0;
  if (data !== undefined || isSet)
    await trainingRequestJson(training).write(store, {
      ...(data !== undefined && { input: { s3Prefix: data } }),
      ...(isSet && { hyperparameters }),
    });
  await store.write(bucketLayout.dropReady(training), '');
}

/** S3 URI of the data of a pipeline's newest training; undefined if none has ended. */
export async function newestTrainingData(store: ObjectStore, pipeline: string): Promise<string | undefined> {
  for await (const { run: name } of newestRuns(store, 'training', pipeline, 20)) {
    const run = parseRunId(name);
    const frozen = run && (await frozenSource(run).read(store));
    if (frozen !== undefined && frozen.objects > 0)
      return `s3://${frozen.sourceBucket}/${frozen.sourcePrefix}`;
  }
  return undefined;
}

/** Name of a drop without files: the time of the request, in UTC. */
export function requestName(now: Date): string {
  return now.toISOString().replace(/[-:Z]/g, '').replace(/[T.]/g, '-');
}
