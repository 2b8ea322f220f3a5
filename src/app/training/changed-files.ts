import type { ObjectInfo, ObjectStore } from '../../aws/s3/object-store.ts';
import { kindOf } from '../../drop/drop-key.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { TrainingPlan } from '../../training/training-plan.ts';
import { readManifest } from '../records/manifest.ts';
import type { Registered } from '../records/training.ts';
import { findChangedInputs } from '../run/changed-inputs.ts';

/** Counts the files of a training that are no longer the frozen ones, and the extra files that SageMaker found below a prefix. */
export async function countChangedFiles(
  store: ObjectStore,
  run: RunParts,
  { data, channels }: Pick<TrainingPlan, 'data' | 'channels'>,
): Promise<Registered['changedInputs']> {
  const source = store.in(data.bucket);
  const manifest = () => readManifest(store, bucketLayout.manifest(run));
  const counts = { overwritten: 0, deleted: 0 };
  for await (const { change } of findChangedInputs(source, data.prefix, manifest())) counts[change] += 1;
  const { overwritten: superseded, deleted } = counts;
  const prefixes = channels
    .filter(({ s3DataType }) => s3DataType === 'S3Prefix')
    .map(({ uri }) => uri.slice(`s3://${data.bucket}/`.length));
  if (prefixes.length === 0) return { superseded, deleted, arrived: 0 };
  const isRead = (key: string): boolean =>
    prefixes.some((prefix) => key.startsWith(prefix)) &&
    kindOf(key.slice(data.prefix.length), run.kind) === 'file';
  return {
    superseded,
    deleted,
    arrived: await countArrived(source.list(data.prefix), manifest(), isRead),
  };
}

/** Both in byte order, so that neither is held in memory. */
async function countArrived(
  listed: AsyncIterable<Pick<ObjectInfo, 'key'>>,
  manifest: AsyncIterator<{ readonly key: string }>,
  isRead: (key: string) => boolean,
): Promise<number> {
  let arrived = 0;
  let frozen = await manifest.next();
  for await (const { key } of listed) {
    while (frozen.done !== true && compareByteOrder(frozen.value.key, key) < 0)
      frozen = await manifest.next();
    if ((frozen.done === true || frozen.value.key !== key) && isRead(key)) arrived += 1;
  }
  await manifest.return?.();
  return arrived;
}
