import * as z from 'zod';
import { inOrder } from '../../concurrency/in-order.ts';
import { isTar } from '../../drop/tar-key.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { TableRefused } from '../../table/table-columns.ts';
import { isKeyTooLong } from '../../text/key-length.ts';
import { exclusionOf, type SendLimits } from '../../transform/exclusion.ts';
import { readManifest } from '../records/manifest.ts';
import { isReplaced } from '../records/replaced-source.ts';
import {
  type Indexed,
  IndexItem,
  markIndexed,
  type Passed,
  type TarShare,
  writeMembers,
} from '../records/tars.ts';
import { useCase } from '../use-case.ts';
import { indexTable } from './index-table.ts';
import { MemberList } from './member-list.ts';
import { type IndexTarsServices, unpackedKey, WRITES_AT_ONCE } from './staged-copy.ts';
import { unpackTar } from './unpack-tar.ts';

type Found = Omit<Indexed, 'schema' | 'asked'>;
const NONE: Passed = { count: 0 };

/**
 * State `IndexTars`: lists the members of a tar, or the records of a table, and stages what jobs read. Repeating an item
 * writes the same again, or goes on where a table was left.
 */
export const indexTars = useCase({
  /** One item of the Distributed Map. */
  input: IndexItem,
  /** `isDone` is false if the time is up: the same call goes on. */
  output: z.object({ isDone: z.boolean() }),
})(async (item, services: IndexTarsServices) => {
  const found = await findIn(item, services);
  if (found !== undefined) await markIndexed(services.store, item, found);
  return { isDone: found !== undefined };
});

/** Undefined if the time is up. */
async function findIn(item: IndexItem, services: IndexTarsServices): Promise<Found | undefined> {
  const { share } = item;
  const others = { hidden: NONE, companions: NONE };
  switch (share.what) {
    case 'tar':
      return indexTar(item, share, services);
    case 'table':
      try {
        const found = await indexTable(item, share, services);
        return found && { ...found, ...others };
      } catch (error) {
        if (!(error instanceof TableRefused)) throw error;
        return { unpacked: 0, pieces: [], ...others, refused: error.message };
      }
    case 'objects':
      return { unpacked: await copyObjects(item, share, services), pieces: [], ...others };
  }
}

async function indexTar(
  item: IndexItem,
  { object, mostMembers }: TarShare,
  { store, leftMs }: IndexTarsServices,
) {
  const list = new MemberList(object, item.settings);
  const limits = limitsOf(item);
  const members = unpackTar(list, {
    source: store.in(item.settings.bucket),
    bucket: store.bucket,
    unpackedKey: (name) => unpackedKey(item, name),
    isSent: (input) => exclusionOf(input, limits) === undefined,
    mostMembers,
    leftMs,
  });
  let unpacked = 0;
  for await (const _written of inOrder(members, WRITES_AT_ONCE, ({ key, body }) => body(store, key)))
    unpacked += 1;
  const { lines, hidden, companions } = list.finish();
  await writeMembers(store, item, lines);
  return { unpacked, pieces: [lines.length], hidden, companions };
}

/** Copies the objects of a stretch of the manifest that are sent; those that are gone or changed are found after the job. */
async function copyObjects(
  item: IndexItem,
  { start, end }: { readonly start: number; readonly end: number },
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

/** Limits for inputs that get a copy. An input may also get a copy if it isn't sent because of its answer's name. */
function limitsOf(item: IndexItem): SendLimits {
  const isTooLong = (name: string): boolean => isKeyTooLong(unpackedKey(item, name));
  return { largestAllowedBytes: item.settings.largestBytes, isTooLong };
}
