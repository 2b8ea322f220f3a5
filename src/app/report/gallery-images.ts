import type { ObjectStore } from '../../aws/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { Member } from '../../input/input.ts';
import { imageKind } from '../../report/image-kind.ts';
import type { GalleryImages } from '../../report/page/gallery.ts';
import type { Report } from '../../report/report.ts';
import { readInput } from '../records/open-input.ts';

/** Images up to this size are embedded, in bytes. */
const MAX_BYTES = 36 * 1024;
const CONCURRENT_READS = 8;

/** Reads the small images among some mistakes, as many as `room` characters of base64 hold. */
export async function readGalleryImages(
  store: ObjectStore,
  mistakes: readonly Report['mistakes'][number][],
  room: number,
): Promise<GalleryImages> {
  const places = new Map(mistakes.map(({ key, member }) => [key, member]));
  const images = new Map<string, string>();
  let left = room;
  const read = ([name, member]: readonly [string, Member | undefined]): Promise<Uint8Array | undefined> =>
    readInput(store, { name, member }, { start: 0, end: MAX_BYTES + 1 });
  for await (const [[key], bytes] of inOrder(places, CONCURRENT_READS, read)) {
    const kind = bytes === undefined || bytes.length > MAX_BYTES ? undefined : imageKind(bytes);
    if (kind === undefined || bytes === undefined) continue;
    const image = `data:${kind};base64,${Buffer.from(bytes).toString('base64')}`;
    if (image.length > left) continue;
    left -= image.length;
    images.set(key, image);
  }
  return images;
}
