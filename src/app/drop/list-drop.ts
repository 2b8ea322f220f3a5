import type { ObjectInfo, ObjectStore } from '../../aws/s3/object-store.ts';
import { DEFAULT_DROP, dropPrefix, kindOf } from '../../drop/drop-key.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { DropParts } from '../../run/run-id.ts';
import type { RunKind } from '../../run/run-kind.ts';
import { compareByteOrder } from '../../text/byte-order.ts';

/** The files of a drop after a key, in byte order, without reserved names; `onHidden` is called for hidden files. */
export async function* listDrop(
  store: ObjectStore,
  drop: DropParts,
  after: string | undefined,
  onHidden: (key: string) => void,
): AsyncGenerator<ManifestEntry> {
  const filesOf = (objects: AsyncIterable<ObjectInfo>, prefix: string): AsyncGenerator<ManifestEntry> =>
    filesAmong(objects, prefix, drop.kind, onHidden);
  const folder = bucketLayout.dropFolder(drop);
  if (drop.drop !== DEFAULT_DROP) {
    yield* filesOf(store.list(folder, startAfter(after)), folder);
    return;
  }
  // The default drop has the files directly under the pipeline too: those before its folder, the folder, those after.
  const root = dropPrefix(drop);
  const direct = filesOf(store.list(root, { ...startAfter(after), shallow: true }), root);
  let isFolderDone = false;
  for await (const entry of direct) {
    if (!isFolderDone && compareByteOrder(entry.key, folder) > 0) {
      yield* filesOf(store.list(folder, startAfter(after)), folder);
      isFolderDone = true;
    }
    yield entry;
  }
  if (!isFolderDone) yield* filesOf(store.list(folder, startAfter(after)), folder);
}

/** An entry of the manifest for a listed object. */
export function toManifestEntry({ key, size, etag, lastModified }: ObjectInfo): ManifestEntry {
  return { key, size, etag, lastModified: lastModified.toISOString(), ...(size === 0 && { empty: true }) };
}

async function* filesAmong(
  objects: AsyncIterable<ObjectInfo>,
  prefix: string,
  runs: RunKind,
  onHidden: (key: string) => void,
): AsyncGenerator<ManifestEntry> {
  for await (const object of objects) {
    const kind = kindOf(object.key.slice(prefix.length), runs);
    if (kind === 'file') yield toManifestEntry(object);
    else if (kind === 'hidden') onHidden(object.key);
  }
}

function startAfter(after: string | undefined): { startAfter?: string } {
  return after === undefined ? {} : { startAfter: after };
}
