import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout, isJobRecord } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { TrainingJobRecord } from '../../training/training-job-record.ts';
import { jsonDocument } from './document.ts';

/** The record of one attempt of a training. */
export const trainingJobJson = jsonDocument({
  key: bucketLayout.job,
  schema: TrainingJobRecord,
  write: 'replace',
  indent: 2,
});

const listedTrainingJob = jsonDocument({
  key: (key: string) => key,
  schema: TrainingJobRecord,
  write: 'elsewhere',
});

/** The records of all attempts of a training, in the order of their keys. */
export async function* listTrainingJobRecords(
  store: ObjectStore,
  training: RunParts,
): AsyncGenerator<TrainingJobRecord> {
  for await (const { key } of store.list(bucketLayout.jobs(training))) {
    const record = isJobRecord(key) ? await listedTrainingJob(key).read(store) : undefined;
    if (record !== undefined) yield record;
  }
}

/** The record of the attempt that counts, which is the newest; undefined if nothing was started. */
export async function lastTrainingJob(
  store: ObjectStore,
  training: RunParts,
): Promise<TrainingJobRecord | undefined> {
  const records = await Array.fromAsync(listTrainingJobRecords(store, training));
  return records.toSorted((a, b) => b.attempt - a.attempt)[0];
}
