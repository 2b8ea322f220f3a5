import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { InputPlace } from '../../input/input.ts';
import { memberPlace } from '../../input/member-path.ts';
import { tarEntries } from '../../model/tar-entries.ts';

/** Cap on the bytes of a tar that is read for one member: some ten seconds. */
const MOST_BYTES = 2 ** 30;

/**
 * Reads a member of a compressed tar from the tar itself, all of it up to the member: for a few inputs with expired copies.
 * Undefined for another input, if the tar is too large for that, or if it's missing or has changed.
 */
export async function readFromTar(
  store: ObjectStore,
  { name, member }: InputPlace,
): Promise<Uint8Array | undefined> {
  if (member?.unpacked === undefined) return undefined;
  const path = name.slice(member.object.length + 1);
  const opened = await store.open(member.object);
  if (opened === undefined) return undefined;
  const { body, etag, size } = opened;
  try {
    if (etag !== member.etag || size > MOST_BYTES) return undefined;
    const bytes = pipeline(body, createGunzip(), () => undefined);
    for await (const entry of tarEntries(bytes)) {
      const place = memberPlace(entry.name, entry.type);
      if (place?.kind === 'file' && place.path === path) return await entry.body.take(entry.body.left);
    }
    return undefined;
  } finally {
    body.destroy();
  }
}
