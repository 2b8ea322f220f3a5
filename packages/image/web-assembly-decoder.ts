import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Pixels } from './pixels.ts';

/** A decoder's result: its frames one below the other; `frames` is 0 where the format has no animation. */
export interface Frames extends Pixels {
  readonly frames: number;
}

/** An instance that has grown beyond this is given up, because its memory never shrinks. */
const MAX_KEPT_BYTES = 2 ** 26;

const exported = z.custom<(...numbers: readonly number[]) => number>((value) => typeof value === 'function');
const Library = z.object({
  memory: z.instanceof(WebAssembly.Memory),
  malloc: exported,
  free: exported,
  decode: exported,
});
type Library = z.infer<typeof Library>;

/** A library compiled to WebAssembly. Its function `decode` takes a file, numbers, a limit of pixels, and an `Image` (decoder.h). */
export class WebAssemblyDecoder {
  readonly #format: string;
  readonly #file: URL;
  #compiled: WebAssembly.Module | undefined;
  #kept: Library | undefined;

  constructor(format: string, file: URL) {
    this.#format = format;
    this.#file = file;
  }

  /** @throws {Error} in the library's words, if the file is damaged or too large */
  decode(file: Uint8Array, settings: readonly number[], maxPixels: number): Frames {
    const library = this.#kept ?? this.#open();
    // An instance that fails is left as it is, with all that it had allocated: the next image gets a new one.
    this.#kept = undefined;
    const frames = decodeWith(library, file, [...settings, maxPixels]);
    if (library.memory.buffer.byteLength <= MAX_KEPT_BYTES) this.#kept = library;
    return frames;
  }

  #open(): Library {
    this.#compiled ??= new WebAssembly.Module(readFileSync(this.#file));
    const fail = (message: number, first: number, second: number): never => {
      throw new Error(`${this.#format}: ${messageAt(library.memory, message, [first, second])}`);
    };
    const library = Library.parse(new WebAssembly.Instance(this.#compiled, { host: { fail } }).exports);
    return library;
  }
}

function decodeWith(
  { memory, malloc, free, decode }: Library,
  file: Uint8Array,
  settings: readonly number[],
): Frames {
  const source = malloc(file.length);
  const image = malloc(20);
  if (source === 0 || image === 0) throw new Error(`No memory for an image of ${file.length} bytes`);
  new Uint8Array(memory.buffer, source, file.length).set(file);
  decode(source, file.length, ...settings, image);
  const [frames = 0, width = 0, height = 0, channels = 0, address = 0] = new Uint32Array(
    memory.buffer,
    image,
    5,
  );
  const length = Math.max(frames, 1) * width * height * channels;
  const data = new Uint8Array(memory.buffer, address, length).slice();
  for (const block of [source, image, address]) free(block);
  return { frames, width, height, channels, data };
}

/** A C string with places for numbers, such as `SOF type 0x%02x`. */
function messageAt({ buffer }: WebAssembly.Memory, address: number, numbers: number[]): string {
  const bytes = new Uint8Array(buffer);
  const template = Buffer.from(bytes.subarray(address, bytes.indexOf(0, address))).toString('latin1');
  return template.replace(/%0?\d*([dux])/g, (_, kind) =>
    (numbers.shift() ?? 0).toString(kind === 'x' ? 16 : 10),
  );
}
