import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { InputPlace } from '../../input/input.ts';
import { imageKind, looksLikeImage } from '../../report/image-kind.ts';
import type { GalleryImage, GalleryImages, GalleryPicture } from '../../report/page/gallery.ts';
import type { Report } from '../../report/report.ts';
import { toSize } from '../../text/size.ts';
import { openInput } from '../records/open-input.ts';

/** Size in bytes up to which images are embedded as they are, if browsers show their format; a thumbnail is hardly smaller. */
const SMALL_BYTES = 8 * 1024;
/** Length in characters of a data URI below which images are drawn pixel by pixel (for example, 28 × 28). */
const TINY_CHARACTERS = 12_000;
/** Cap on the bytes that are read of a file. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Files that memory holds at once. */
const CONCURRENT_READS = 4;
/** Longer edges of thumbnails in pixels: the first until a third of the room is taken, the second until two thirds are, then the last. */
const EDGES = [160, 96, 64] as const;
/** Time after which no further file is decoded. */
const MAX_MS = 60_000;

type ShownRecord = Report['mistakes'][number];

/** Services that images are read with. */
export interface ImageServices {
  readonly store: ObjectStore;
  readonly clock: () => Date;
  /**
   * Decodes an image and writes it with a longer edge of at most `edge` pixels.
   *
   * @throws {Error} in words, if it cannot be decoded
   */
  readonly thumbnail: (file: Uint8Array, edge: number) => Thumbnail;
}

/** A small image, encoded. */
export interface Thumbnail {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

/**
 * Reads the images of some records, in their order, until `room` characters are taken, each as often as the page shows it: small files as
 * they are, larger ones and formats that not every browser shows as thumbnails. An image that cannot be shown has the reason in its place.
 */
export async function readGalleryImages(
  { store, clock, thumbnail }: ImageServices,
  records: readonly ShownRecord[],
  room: number,
): Promise<GalleryImages> {
  const byKey = Map.groupBy(records, ({ key }) => key);
  const until = clock().getTime() + MAX_MS;
  const images = new Map<string, GalleryImage>();
  let taken = 0;
  const shown = (file: Uint8Array, times: number): GalleryImage | undefined => {
    const edges = EDGES.slice(Math.min(EDGES.length - 1, Math.floor((EDGES.length * taken) / room)));
    try {
      for (const picture of picturesOf(file, edges, thumbnail, () => clock().getTime() < until))
        if (taken + times * picture.source.length <= room) return picture;
      return undefined;
    } catch (error) {
      // The decoder's message about a damaged file is shown in its place.
      return { reason: `not shown: ${error instanceof Error ? error.message : String(error)}` };
    }
  };
  const read = ([name, [first]]: readonly [string, readonly ShownRecord[]]): Promise<Uint8Array | string> =>
    readImageFile(store, { name, member: first?.member });
  for await (const [[key, { length: times }], file] of inOrder(byKey, CONCURRENT_READS, read)) {
    const image = typeof file === 'string' ? { reason: file } : shown(file, times);
    if (image === undefined) break;
    if ('source' in image) taken += times * image.source.length;
    images.set(key, image);
  }
  return images;
}

/** Forms in which an image can be embedded, the best first. */
function* picturesOf(
  file: Uint8Array,
  edges: readonly number[],
  thumbnail: ImageServices['thumbnail'],
  hasTime: () => boolean,
): Generator<GalleryPicture> {
  const kind = imageKind(file);
  if (kind !== undefined && file.length <= SMALL_BYTES) {
    const source = dataUri(kind, file);
    yield { source, isTiny: source.length < TINY_CHARACTERS };
  }
  for (const edge of edges) {
    if (!hasTime()) throw new Error('decoding the images of the page took too long');
    const { type, bytes } = thumbnail(file, edge);
    yield { source: dataUri(type, bytes), isTiny: false };
  }
}

/** The file, or why it is not read. Reading stops after the first bytes if they aren't an image's. */
async function readImageFile(store: ObjectStore, place: InputPlace): Promise<Uint8Array | string> {
  const stream = await openInput(store, place);
  if (stream === undefined) return 'not shown: the file is no longer there';
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    if (length === 0 && !looksLikeImage(chunk)) return 'not shown: the file is not an image';
    length += chunk.length;
    // Leaving the loop cancels the request.
    if (length > MAX_BYTES) return `not shown: the file is larger than ${toSize(MAX_BYTES)}`;
    chunks.push(chunk);
  }
  return length === 0 ? 'not shown: the file is empty' : Buffer.concat(chunks);
}

function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
