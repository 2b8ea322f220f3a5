import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { PNG } from 'pngjs';
import type { ImageSet } from './image-record.ts';
import { NpyFile } from './npy-file.ts';
import { toTfRecord } from './tf-record.ts';

/**
 * Writes a data set image by image: `png/<split>/<number>_<class>.png`, `tfrecords/<split>/<split>.tfrecords` (channels
 * one after the other, as SageMaker's example has them) and `npy/<split>-images.npy` with `-labels.npy`.
 */
export async function writeDataset(
  set: ImageSet,
  folder: string,
  onImage: (count: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const splits = new Map<string, SplitFiles>();
  let count = 0;
  try {
    for await (const { split, label, pixels } of set.records()) {
      const files = splits.get(split) ?? new SplitFiles(set, folder, split);
      splits.set(split, files);
      files.append(label, pixels);
      onImage(++count);
    }
  } finally {
    for (const files of splits.values()) files.close();
  }
  return new Map([...splits].map(([split, { count: images }]) => [split, images]));
}

class SplitFiles {
  count = 0;
  readonly #set: ImageSet;
  readonly #pngs: string;
  readonly #records: number;
  readonly #images: NpyFile;
  readonly #labels: NpyFile;

  constructor(set: ImageSet, folder: string, split: string) {
    this.#set = set;
    this.#pngs = path.join(folder, 'png', split);
    const [records, arrays] = [path.join(folder, 'tfrecords', split), path.join(folder, 'npy')];
    for (const dir of [this.#pngs, records, arrays]) mkdirSync(dir, { recursive: true });
    this.#records = openSync(path.join(records, `${split}.tfrecords`), 'wx');
    this.#images = new NpyFile(path.join(arrays, `${split}-images.npy`), '|u1', [
      set.side,
      set.side,
      set.channels,
    ]);
    this.#labels = new NpyFile(path.join(arrays, `${split}-labels.npy`), '<i8', []);
  }

  append(label: number, pixels: Uint8Array): void {
    const { side, channels, classes } = this.#set;
    const name = `${String(this.count++).padStart(5, '0')}_${classes[label]}.png`;
    writeFileSync(path.join(this.#pngs, name), toPng(pixels, side, channels));
    writeSync(this.#records, toTfRecord(toPlanes(pixels, channels), label));
    this.#images.append(pixels);
    const number = Buffer.alloc(8);
    number.writeBigInt64LE(BigInt(label));
    this.#labels.append(number);
  }

  close(): void {
    closeSync(this.#records);
    this.#images.close();
    this.#labels.close();
  }
}

function toPng(pixels: Uint8Array, side: number, channels: 1 | 3): Buffer {
  const colorType = channels === 1 ? 0 : 2;
  const image = new PNG({ width: side, height: side });
  image.data = Buffer.from(pixels);
  return PNG.sync.write(image, { colorType, inputColorType: colorType, inputHasAlpha: false });
}

/** Reorders pixels to one plane per channel. */
function toPlanes(pixels: Uint8Array, channels: number): Uint8Array {
  if (channels === 1) return pixels;
  const planes = new Uint8Array(pixels.length);
  const plane = pixels.length / channels;
  for (let pixel = 0; pixel < plane; pixel++) {
    for (let channel = 0; channel < channels; channel++)
      planes[channel * plane + pixel] = pixels[pixel * channels + channel] ?? 0;
  }
  return planes;
}
