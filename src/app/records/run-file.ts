import type * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { Plan } from '../../plan/plan.ts';
import { JobRecord } from '../../transform/job-record.ts';
import { Condition } from '../../problem/conditions.ts';

/**
 * Reads a JSON file that an earlier step wrote.
 *
 * @throws {RunFileMissing}
 */
export async function readRunFile<T>(store: ObjectStore, key: string, schema: z.ZodType<T>): Promise<T> {
  const text = await store.readText(key);
  if (text === undefined)
    throw new Condition(
      'RunFileMissing',
      `${key} is not there: an earlier step of the run must have written it`,
    );
  return schema.parse(JSON.parse(text));
}

/**
 * Opens a file that an earlier step wrote and that may be long, from a place in it on.
 *
 * @throws {RunFileMissing}
 */
export async function openRunFile(
  store: ObjectStore,
  key: string,
  start = 0,
): Promise<AsyncIterable<Uint8Array>> {
  const end = start === 0 ? undefined : (await store.describe(key))?.size;
  const stream = await store.readStream(key, end === undefined ? undefined : { start, end });
  if (stream === undefined)
    throw new Condition(
      'RunFileMissing',
      `${key} is not there: an earlier step of the run must have written it`,
    );
  return stream;
}

/** The run's plan. @throws {RunFileMissing} */
export function readPlan(store: ObjectStore, run: RunParts): Promise<Plan> {
  return readRunFile(store, bucketLayout.plan(run), Plan);
}

/** The record of one attempt. @throws {RunFileMissing} */
export function readJobRecord(store: ObjectStore, run: RunParts, attempt: number): Promise<JobRecord> {
  return readRunFile(store, bucketLayout.job(run, attempt), JobRecord);
}

/** The records of all attempts, in the order of their keys. */
export async function* listJobRecords(store: ObjectStore, run: RunParts): AsyncGenerator<JobRecord> {
  for await (const { key } of store.list(bucketLayout.jobs(run))) {
    if (!key.endsWith('/job.json')) continue;
    const text = await store.readText(key);
    if (text !== undefined) yield JobRecord.parse(JSON.parse(text));
  }
}

/** Writes the record of an attempt over the one before. */
export async function writeJobRecord(store: ObjectStore, run: RunParts, record: JobRecord): Promise<void> {
  await writeJson(store, bucketLayout.job(run, record.attempt), record);
}

/** Writes a value as JSON that a person can read. */
export async function writeJson(store: ObjectStore, key: string, value: unknown): Promise<void> {
  await store.write(key, `${JSON.stringify(value, null, 2)}\n`, { contentType: 'application/json' });
}
