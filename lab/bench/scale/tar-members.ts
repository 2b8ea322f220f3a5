import { type IndexItem, markIndexed, writeMembers } from '../../../src/app/records/tars.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import {
  CLASSES,
  etagOf,
  indexOf,
  MEMBER_BYTES,
  nameOf,
  TAR_MEMBERS,
  TARRED_BYTES,
} from './synthetic-run.ts';

/** Writes IndexTars's result for a tar of the drop: each member, with its label from the tar. */
export async function listTarMembers(
  store: ObjectStore,
  item: IndexItem,
  { count }: { readonly count: number },
): Promise<void> {
  if (item.share.what !== 'tar') throw new Error('the drop has nothing but tars');
  const { object } = item.share;
  const first = indexOf(object.key.replace(/\.tar$/, '.png')) * TAR_MEMBERS;
  const indexes = Array.from({ length: Math.min(TAR_MEMBERS, count - first) }, (_, at) => first + at);
  const members = indexes.map((index, at) => ({
    key: `${object.key}/${nameOf(index)}`,
    size: MEMBER_BYTES,
    etag: etagOf(index),
    lastModified: object.lastModified,
    member: {
      object: object.key,
      etag: object.etag,
      start: at * TARRED_BYTES + 512,
      end: at * TARRED_BYTES + 512 + MEMBER_BYTES,
    },
    label: CLASSES[index % CLASSES.length] ?? '',
  }));
  await writeMembers(store, item, members);
  const none = { count: 0 };
  await markIndexed(store, item, {
    unpacked: members.length,
    pieces: [members.length],
    hidden: none,
    companions: none,
  });
}
