import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout, isJobRecord } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { type JobInputs, toInputManifest } from '../../transform/input-manifest.ts';
import { JobRecord } from '../../transform/job-record.ts';
import { jsonDocument } from './document.ts';

/** The record of one attempt; its state decides what the next step of the run does with it. */
export const jobJson = jsonDocument({
  key: bucketLayout.job,
  schema: JobRecord,
  write: 'replace',
  indent: 2,
});

const listedJob = jsonDocument({ key: (key: string) => key, schema: JobRecord, write: 'replace' });

/** The records of all attempts, in the order of their keys. */
export async function* listJobRecords(store: ObjectStore, run: RunParts): AsyncGenerator<JobRecord> {
  for await (const { key } of store.list(bucketLayout.jobs(run))) {
    const record = isJobRecord(key) ? await listedJob(key).read(store) : undefined;
    if (record !== undefined) yield record;
  }
}

/** The records of all attempts, oldest first. */
export async function readJobRecords(store: ObjectStore, run: RunParts): Promise<JobRecord[]> {
  const records = await Array.fromAsync(listJobRecords(store, run));
  return records.sort((a, b) => a.attempt - b.attempt);
}

/** Writes the record of an attempt over the one before. */
export async function writeJobRecord(store: ObjectStore, run: RunParts, record: JobRecord): Promise<void> {
  await jobJson(run, record.attempt).write(store, record);
}

/** Where jobs read the inputs of a run: those that are unpacked lie in the application's own bucket. */
export function sentFrom(store: ObjectStore, inputs: JobInputs): JobInputs {
  const { bucket, unpacked = null } = inputs;
  return { ...inputs, bucket: unpacked === null ? bucket : store.bucket };
}

/** Writes the inputs of a job, in SageMaker's format. */
export async function writeJobInputs(
  store: ObjectStore,
  key: string,
  inputs: JobInputs,
  names: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  await store.writeStream(key, toInputManifest(sentFrom(store, inputs), names), {
    contentType: 'application/json',
  });
}
