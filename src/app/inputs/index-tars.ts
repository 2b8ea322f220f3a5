import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { isTar } from '../../drop/tar-key.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { isKeyTooLong } from '../../text/key-length.ts';
import { exclusionOf, type SendLimits } from '../../transform/exclusion.ts';
import { isReplaced } from '../records/replaced-source.ts';
import { readManifest } from '../records/run.ts';
import { IndexItem, markIndexed, type Passed, writeMembers } from '../records/tars.ts';
import { useCase } from '../use-case.ts';
import { MemberList } from './member-list.ts';
import { unpackTar } from './unpack-tar.ts';

/** S3 answers a write in about 30 ms; memory holds that many members of at most `MOST_HELD_BYTES`. */
const WRITES_AT_ONCE = 32;

/** Services that read tars. */
export interface IndexTarsServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
}

type Share<What extends IndexItem['share']['what']> = Extract<IndexItem['share'], { readonly what: What }>;

/**
 * State `IndexTars`: lists the members of a tar. Where a job reads single objects it also writes each as an object of its own, and copies
 * objects beside tars to the same place. Repeating an item writes the same again.
 */
export const indexTars = useCase({
  /** One item of the Distributed Map. */
  input: IndexItem,
  output: z.object({ item: z.int().nonnegative(), unpacked: z.int().nonnegative() }),
})(async (item, services: IndexTarsServices) => {
  const { share } = item;
  const none: Passed = { count: 0 };
  const found =
    share.what === 'tar'
      ? await indexTar(item, share, services)
      : { unpacked: await copyObjects(item, share, services), hidden: none, companions: none };
  await markIndexed(services.store, item, found);
  return { item: item.item, unpacked: found.unpacked };
});

async function indexTar(
  item: IndexItem,
  { object, mostMembers }: Share<'tar'>,
  { store, clock }: IndexTarsServices,
) {
  const list = new MemberList(object, item.settings);
  const limits = limitsOf(item);
  const members = unpackTar(list, {
    source: store.in(item.settings.bucket),
    bucket: store.bucket,
    unpackedKey: (name) => unpackedKey(item, name),
    isSent: (input) => exclusionOf(input, limits) === undefined,
    mostMembers,
    clock,
  });
  let unpacked = 0;
  for await (const _written of inOrder(members, WRITES_AT_ONCE, ({ key, body }) => body(store, key)))
    unpacked += 1;
  const { lines, hidden, companions } = list.finish();
  await writeMembers(store, item, lines);
  return { unpacked, hidden, companions };
}

/** Copies the objects of a stretch of the manifest that are sent; those that are gone or changed are found after the job. */
async function copyObjects(
  item: IndexItem,
  { start, end }: Share<'objects'>,
  { store }: IndexTarsServices,
): Promise<number> {
  const { settings, run } = item;
  const limits = limitsOf(item);
  async function* objects() {
    for await (const entry of readManifest(store, bucketLayout.manifest(run), start)) {
      const isSent = exclusionOf({ ...entry, name: entry.key }, limits) === undefined;
      if (isSent && !isTar(entry.key)) yield entry;
      if (entry.end >= end) return;
    }
  }
  let copied = 0;
  const copies = inOrder(objects(), WRITES_AT_ONCE, async ({ key, etag }) => {
    try {
      await store.copy({ bucket: settings.bucket, key, etag }, unpackedKey(item, key));
    } catch (error) {
      if (!isReplaced(error)) throw error;
    }
  });
  for await (const _copied of copies) copied += 1;
  return copied;
}

/** Key of the copy of an input, or of a member of a tar. */
export function unpackedKey({ settings, copies }: IndexItem, name: string): string {
  return `${copies}${name.slice(settings.prefix.length)}`;
}

/** Inputs that a copy is made of; of what is not sent for the name of its answer there may be one, too. */
function limitsOf(item: IndexItem): SendLimits {
  const isTooLong = (name: string): boolean => isKeyTooLong(unpackedKey(item, name));
  return { largestAllowedBytes: item.settings.largestBytes, isTooLong };
}
