import type { ObjectStore } from '../aws/object-store.ts';
import { imageKind } from '../report/image-kind.ts';
import type { GalleryImages } from '../report/page/gallery.ts';
import { GALLERY_SIZE } from '../report/page/gallery.ts';
import type { Report } from '../report/report.ts';
import { inOrder } from './in-order.ts';

/** Images up to this size are embedded, in bytes: 24 of them keep the page below 2 MB. */
const MOST_BYTES = 36 * 1024;
const CONCURRENT_READS = 8;

/** Reads the small images among the mistakes that the page shows. */
export async function readGalleryImages(
  store: ObjectStore,
  mistakes: Report['mistakes'],
): Promise<GalleryImages> {
  const keys = new Set(mistakes.slice(0, GALLERY_SIZE).map(({ key }) => key));
  const images = new Map<string, string>();
  const read = (key: string): Promise<Uint8Array | undefined> =>
    store.readBytes(key, { start: 0, end: MOST_BYTES + 1 });
  for await (const [key, bytes] of inOrder(keys, CONCURRENT_READS, read)) {
    const kind = bytes === undefined || bytes.length > MOST_BYTES ? undefined : imageKind(bytes);
    if (kind !== undefined && bytes !== undefined)
      images.set(key, `data:${kind};base64,${Buffer.from(bytes).toString('base64')}`);
  }
  return images;
}
