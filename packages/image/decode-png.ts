import { crc32, inflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { MAX_PIXELS, type Pixels } from './pixels.ts';
import { withChannels, withKey } from './png-channels.ts';
import { readGamma } from './png-gamma.ts';

/** Channels by color type of the header; type 3 has a palette. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  readonly interlaced: boolean;
}

/**
 * Decodes a PNG as libpng does for TensorFlow: to 8 bits a channel (16-bit values lose their lower half) or to 16 bits (`wide`,
 * where 8-bit values are repeated). `channels` is 0 for the file's own number. The plain forms (8 bits, not interlaced, no palette)
 * are decoded here, three times as fast as by pngjs, which does the rest.
 *
 * @throws {Error} if the file is damaged or cut off, or if colors become gray in a file with a profile, or with 16 bits and a gamma
 */
export function decodePng(
  file: Uint8Array,
  channels: number,
  wide: boolean,
  maxPixels: number = MAX_PIXELS,
): Pixels<Uint8Array | Uint16Array> {
  const chunks = readChunks(file);
  const header = readHeader(chunks.get('IHDR')?.[0], maxPixels);
  // Transparency next to a palette is a channel of its own; otherwise one color is transparent if alpha is requested.
  const own = header.colorType === 3 ? (chunks.has('tRNS') ? 4 : 3) : (CHANNELS.get(header.colorType) ?? 0);
  const wanted = channels === 0 ? own : channels;
  const colored = (header.colorType & 2) !== 0;
  const becomesGray = wanted < 3 && colored;
  const gamma = becomesGray ? readGamma(chunks) : undefined;
  const profile = ['iCCP', 'cICP'].find((type) => chunks.has(type));
  if (becomesGray && profile !== undefined) throw new Error(`PNG: ${profile} with ${wanted} channels`);
  if (gamma !== undefined && header.depth === 16)
    throw new Error(`PNG: a gamma of 16 bits with ${wanted} channels`);
  const key = wanted === 4 && header.colorType !== 3 ? transparentColor(chunks, header) : undefined;
  if (header.depth === 16) {
    const keyed = withKey(decodeWide(chunks, header, own), key, 0xffff, newWide);
    const pixels = withChannels(keyed, wanted, 0xffff, newWide);
    return wide ? pixels : { ...pixels, data: Uint8Array.from(pixels.data, (sample) => sample >> 8) };
  }
  // TensorFlow fills with the largest value of the file's own depth, before libpng widens it to 8 bits.
  const opaque = 2 ** header.depth - 1;
  const plain = header.depth === 8 && !header.interlaced && header.colorType !== 3;
  const decoded = plain
    ? decodePlain(chunks.get('IDAT') ?? [], header, own)
    : decodeNarrow(chunks, header, own);
  const pixels = withChannels(withKey(decoded, key, 255, newNarrow), wanted, opaque, newNarrow, gamma);
  return wide ? { ...pixels, data: Uint16Array.from(pixels.data, (sample) => sample * 257) } : pixels;
}

/** The samples of the color that stands for transparency, widened to 8 bits as the image's are. */
function transparentColor(chunks: Chunks, { depth, colorType }: Header): number[] | undefined {
  const [bytes] = chunks.get('tRNS') ?? [];
  const count = colorType === 0 ? 1 : 3;
  if (bytes === undefined || colorType > 3 || bytes.length < 2 * count) return undefined;
  const largest = 2 ** depth - 1;
  return Array.from({ length: count }, (_, index) => {
    const sample = ((bytes[2 * index] ?? 0) * 256 + (bytes[2 * index + 1] ?? 0)) & largest;
    return depth < 8 ? (sample * 255) / largest : sample;
  });
}

const newNarrow = (length: number): Uint8Array => new Uint8Array(length);
const newWide = (length: number): Uint16Array => new Uint16Array(length);

function decodePlain(parts: readonly Uint8Array[], { width, height }: Header, channels: number): Pixels {
  const stride = width * channels;
  const expected = (stride + 1) * height;
  const raw = inflate(parts, expected);
  if (raw.length < expected) throw new Error('PNG: too few rows');
  return { width, height, channels, data: unfilter(raw, stride, channels, height) };
}

/** In one piece, if the file says the truth about its size; libpng leaves rows out that are too many. */
function inflate(parts: readonly Uint8Array[], expected: number): Uint8Array {
  const [first] = parts;
  const packed = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
  const chunkSize = Math.max(expected + 1, 64);
  try {
    return inflateSync(packed, { maxOutputLength: 2 * expected + SURPLUS_BYTES, chunkSize });
  } catch (error) {
    if (error instanceof RangeError)
      throw new Error('PNG: far more rows than its header has', { cause: error });
    throw error;
  }
}

const SURPLUS_BYTES = 65_536;
const CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];
const BEFORE_PALETTE = ['gAMA', 'sRGB', 'iCCP', 'cICP'];

/** The data of each chunk, by type. */
type Chunks = ReadonlyMap<string, readonly Uint8Array[]>;

function readChunks(file: Uint8Array): Chunks {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks = new Map<string, Uint8Array[]>();
  let position = 8;
  while (!chunks.has('IEND')) {
    if (position + 12 > file.length) throw new Error('PNG: cut off');
    const length = view.getUint32(position);
    const end = position + 8 + length;
    if (end + 4 > file.length) throw new Error('PNG: cut off');
    const type = String.fromCharCode(...file.subarray(position + 4, position + 8));
    const whole = crc32(file.subarray(position + 4, end)) === view.getUint32(end);
    if (!/^[A-Za-z]{4}$/.test(type)) throw new Error('PNG: damaged chunk');
    const critical = type.charCodeAt(0) < 97;
    if (critical && !(whole && CRITICAL.includes(type))) throw new Error(`PNG: damaged chunk ${type}`);
    const late = BEFORE_PALETTE.includes(type) && (chunks.has('PLTE') || chunks.has('IDAT'));
    // libpng passes over what is not needed, and is damaged or late.
    if (whole && !late) chunks.set(type, [...(chunks.get(type) ?? []), file.subarray(position + 8, end)]);
    position = end + 4;
  }
  return chunks;
}

function readHeader(chunk: Uint8Array | undefined, maxPixels: number): Header {
  if (chunk?.length !== 13) throw new Error('PNG: no header');
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const header = {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth: view.getUint8(8),
    colorType: view.getUint8(9),
    interlaced: view.getUint8(12) !== 0,
  };
  const pixels = header.width * header.height;
  if (pixels === 0 || pixels > maxPixels || !CHANNELS.has(header.colorType))
    throw new Error(`PNG: ${header.width}x${header.height}, color type ${header.colorType}`);
  return header;
}

/**
 * Undoes the prediction of each byte from its left, upper and upper left neighbors (PNG specification, 9.2). Each filter has loops
 * of its own, because this is most of the cost of decoding. Neighbors outside the image count as 0.
 */
function unfilter(raw: Uint8Array, stride: number, step: number, height: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const source = row * (stride + 1) + 1;
    const target = row * stride;
    const filter = raw[source - 1] ?? 0;
    if (filter > 4) throw new Error(`PNG: filter ${filter}`);
    out.set(raw.subarray(source, source + stride), target);
    const [start, begin, end] = [target, target + step, target + stride];
    if (filter === 1 || (filter === 4 && row === 0)) {
      for (let at = begin; at < end; at++) out[at] = (out[at] ?? 0) + (out[at - step] ?? 0);
    } else if (filter === 2 && row > 0) {
      for (let at = start; at < end; at++) out[at] = (out[at] ?? 0) + (out[at - stride] ?? 0);
    } else if (filter === 3) {
      const above = row === 0 ? out.length : stride;
      for (let at = start; at < begin; at++) out[at] = (out[at] ?? 0) + ((out[at - above] ?? 0) >> 1);
      for (let at = begin; at < end; at++)
        out[at] = (out[at] ?? 0) + (((out[at - step] ?? 0) + (out[at - above] ?? 0)) >> 1);
    } else if (filter === 4) {
      for (let at = start; at < begin; at++) out[at] = (out[at] ?? 0) + (out[at - stride] ?? 0);
      for (let at = begin; at < end; at++) {
        const corner = out[at - stride - step] ?? 0;
        out[at] = (out[at] ?? 0) + paeth(out[at - step] ?? 0, out[at - stride] ?? 0, corner);
      }
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function decodeNarrow(chunks: Chunks, header: Header, channels: number): Pixels {
  return chosenChannels(PNG.sync.read(essential(chunks, header)), channels, newNarrow);
}

function decodeWide(chunks: Chunks, header: Header, channels: number): Pixels<Uint16Array> {
  return chosenChannels(PNG.sync.read(essential(chunks, header), { skipRescale: true }), channels, newWide);
}

/** The file without what pngjs would make of a transparent color: it blackens it. */
function essential(chunks: Chunks, { colorType }: Header): Buffer {
  const kept = colorType === 3 ? ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'] : ['IHDR', 'IDAT', 'IEND'];
  const written = kept.flatMap((type) =>
    (chunks.get(type) ?? []).flatMap((given) => {
      // An index beyond a short palette is black.
      const data = type === 'PLTE' ? Buffer.concat([given, Buffer.alloc(3 * 256 - given.length)]) : given;
      const body = Buffer.concat([Buffer.from(type), data]);
      const frame = Buffer.alloc(8);
      frame.writeUInt32BE(data.length);
      frame.writeUInt32BE(crc32(body), 4);
      return [frame.subarray(0, 4), body, frame.subarray(4)];
    }),
  );
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...written]);
}

/** pngjs always gives four channels; alpha is the last of theirs and of ours. */
function chosenChannels<Samples extends Uint8Array | Uint16Array>(
  { width, height, data }: { width: number; height: number; data: ArrayLike<number> },
  channels: number,
  empty: (length: number) => Samples,
): Pixels<Samples> {
  const pixels = empty(width * height * channels);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let channel = 0; channel < channels; channel++) {
      const source = channels % 2 === 0 && channel === channels - 1 ? 3 : channel;
      pixels[pixel * channels + channel] = data[pixel * 4 + source] ?? 0;
    }
  }
  return { width, height, channels, data: pixels };
}
