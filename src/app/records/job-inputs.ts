import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { type JobInputs, toInputManifest } from '../../transform/input-manifest.ts';

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
