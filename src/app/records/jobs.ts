import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout, isJobRecord } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { JobRecord } from '../../transform/job-record.ts';
import { jsonDocument } from './document.ts';

/** The record of one attempt; its state decides what the next step of the run does with it. */
export const jobJson = jsonDocument({
  key: bucketLayout.job,
  schema: JobRecord,
  write: 'replace',
  indent: 2,
});

const listedJob = jsonDocument({ key: (key: string) => key, schema: JobRecord, write: 'elsewhere' });

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
