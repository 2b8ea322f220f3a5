import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Pixels } from './pixels.ts';

/** Quality of a thumbnail: what is lost isn't seen at this size. */
const QUALITY = 75;

const exported = z.custom<(...numbers: readonly number[]) => number>((value) => typeof value === 'function');
const Library = z.object({
  memory: z.instanceof(WebAssembly.Memory),
  malloc: exported,
  free: exported,
  encode: exported,
});
let opened: z.infer<typeof Library> | undefined;

/** Writes an RGB image as a baseline JPEG with colors at half the resolution, by libjpeg-turbo. @throws {Error} without memory for it */
export function encodeJpeg({ width, height, data }: Pixels): Uint8Array {
  const library = (opened ??= open());
  const pixels = library.malloc(data.length);
  const place = library.malloc(4);
  if (pixels === 0 || place === 0) throw new Error(`JPEG: no memory for ${width}x${height} pixels`);
  new Uint8Array(library.memory.buffer, pixels, data.length).set(data);
  const length = library.encode(pixels, width, height, QUALITY, place);
  const [file = 0] = new Uint32Array(library.memory.buffer, place, 1);
  const bytes = new Uint8Array(library.memory.buffer, file, length).slice();
  for (const block of [pixels, place, file]) library.free(block);
  return bytes;
}

function open(): z.infer<typeof Library> {
  const module = new WebAssembly.Module(readFileSync(new URL('libjpeg/encode.wasm', import.meta.url)));
  const fail = (_message: number, code: number): never => {
    // An instance that has failed keeps what it had allocated: the next image gets a new one.
    opened = undefined;
    throw new Error(`JPEG: the image can't be written, by libjpeg's error ${code}`);
  };
  return Library.parse(new WebAssembly.Instance(module, { host: { fail } }).exports);
}
