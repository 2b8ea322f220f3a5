import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { objectOf } from '../../input/input.ts';
import { imageKind, looksLikeImage } from '../../report/image-kind.ts';
import { toSize } from '../../text/size.ts';
import { readInput } from '../records/open-input.ts';
import type { ShardEntry } from '../records/reconciled.ts';

/** Cap on the bytes of a picture, which memory holds. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A picture of an input, or why there is none. */
export type Picture =
  { readonly bytes: Uint8Array; readonly mediaType: string } | { readonly missing: string };

/** Reads the picture that the model has seen; refused if the input's content has changed since. */
export async function readPicture(store: ObjectStore, input: ShardEntry): Promise<Picture> {
  if (input.size > MAX_BYTES) return { missing: `is larger than ${toSize(MAX_BYTES)}` };
  const { key, etag } = objectOf(input);
  const found = await store.describe(key);
  if (found === undefined) return { missing: 'is not there any more' };
  if (found.etag !== etag) return { missing: 'has changed since it was predicted' };
  const bytes = await readInput(store, input);
  // Its tar was there a moment ago: it is the copy that is gone.
  if (bytes === undefined)
    return {
      missing:
        input.member?.unpacked === undefined
          ? 'is not there any more'
          : 'is a member of a compressed tar, and its copy has expired: a rescore of its run unpacks it again',
    };
  if (!looksLikeImage(bytes)) return { missing: 'is not an image' };
  return { bytes, mediaType: imageKind(bytes) ?? 'image/bmp' };
}
