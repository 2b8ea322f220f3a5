import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { MAX_PIXELS, type Pixels } from './pixels.ts';

/** What `DecodeJpeg` lets a model choose, by its attributes of the same names. */
export interface JpegSettings {
  /** Each side is divided by it: 1, 2, 4 or 8. */
  readonly ratio: number;
  /** `dct_method` INTEGER_ACCURATE; TensorFlow's own choice is INTEGER_FAST. */
  readonly accurate: boolean;
  readonly fancyUpscaling: boolean;
  readonly tryRecoverTruncated: boolean;
  /** Of the rows, where decoding stops amid a damaged file; what is missing is black. */
  readonly acceptableFraction: number;
}

/** What every other decoder does with a JPEG. */
export const DEFAULT_JPEG_SETTINGS: JpegSettings = {
  ratio: 1,
  accurate: false,
  fancyUpscaling: true,
  tryRecoverTruncated: false,
  acceptableFraction: 1,
};

/** Of the numbers in which libjpeg/decode.c says why it gives up. */
const REASONS: ReadonlyMap<number, (first: number, second: number) => string> = new Map<
  number,
  (first: number, second: number) => string
>([
  [-1, () => 'cut off'],
  [-2, (width, height) => `${width}x${height} pixels are too many`],
  [-3, (width, height) => `no memory for ${width}x${height} pixels`],
  [-4, () => 'cut off, and never complete with the bytes that are there'],
  [-5, (width, height) => `too many scans of ${width}x${height} pixels`],
  [-6, () => '2 channels, which TensorFlow does not decode'],
]);

/** An instance that has grown beyond this is given up, because its memory never shrinks. */
const MAX_KEPT_BYTES = 2 ** 26;

const exported = z.custom<(...numbers: readonly number[]) => number>((value) => typeof value === 'function');
/** What libjpeg/decode.c exports. */
const Library = z.object({
  memory: z.instanceof(WebAssembly.Memory),
  malloc: exported,
  free: exported,
  decode: exported,
});

let compiled: WebAssembly.Module | undefined;
let kept: z.infer<typeof Library> | undefined;

function openLibrary(): z.infer<typeof Library> {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('libjpeg/libjpeg.wasm', import.meta.url)));
  const fail = (code: number, first: number, second: number): never => {
    const words = REASONS.get(code)?.(first, second) ?? libraryMessage(library.memory, code, [first, second]);
    throw new Error(`JPEG: ${words}`);
  };
  const library = Library.parse(new WebAssembly.Instance(compiled, { host: { fail } }).exports);
  return library;
}

/** libjpeg's own words, which lie at that address with places for numbers, such as `SOF type 0x%02x`. */
function libraryMessage({ buffer }: WebAssembly.Memory, address: number, numbers: number[]): string {
  const bytes = new Uint8Array(buffer);
  const template = Buffer.from(bytes.subarray(address, bytes.indexOf(0, address))).toString('latin1');
  return template.replace(/%0?\d*([dux])/g, (_, kind) =>
    (numbers.shift() ?? 0).toString(kind === 'x' ? 16 : 10),
  );
}

/**
 * Decodes a JPEG to the very pixels that TensorFlow gives: the same library, with the same settings. Orientation and colour
 * profiles are ignored, as there. `channels` is 0 for what the file has (at most 3), 1 or 3.
 *
 * @throws {Error} if the file is damaged or cut off
 */
export function decodeJpeg(file: Uint8Array, channels: number, settings: JpegSettings): Pixels {
  const library = kept ?? openLibrary();
  // An instance that fails is left as it is, with all that it had allocated: the next image gets a new one.
  kept = undefined;
  const pixels = run(library, file, channels, settings);
  if (library.memory.buffer.byteLength <= MAX_KEPT_BYTES) kept = library;
  return pixels;
}

function run(
  { memory, malloc, free, decode }: z.infer<typeof Library>,
  file: Uint8Array,
  channels: number,
  { ratio, accurate, fancyUpscaling, tryRecoverTruncated, acceptableFraction }: JpegSettings,
): Pixels {
  const source = malloc(file.length);
  const image = malloc(16);
  if (source === 0 || image === 0) throw new Error(`JPEG: no memory for ${file.length} bytes`);
  new Uint8Array(memory.buffer, source, file.length).set(file);
  const flags = [accurate, fancyUpscaling, tryRecoverTruncated].map(Number);
  decode(source, file.length, channels, ratio, ...flags, acceptableFraction, MAX_PIXELS, image);
  const [width = 0, height = 0, depth = 0, address = 0] = new Uint32Array(memory.buffer, image, 4);
  const data = new Uint8Array(memory.buffer, address, width * height * depth).slice();
  for (const block of [source, image, address]) free(block);
  return { width, height, channels: depth, data };
}
