import { createReadStream, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { readFailure } from '../files/file-problem.ts';
import { BadDataset, type ImageRecord, type ImageSet } from './image-record.ts';

const SIDE = 28;
const CLASSES = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
const SPLITS = [
  ['train', 'train'],
  ['t10k', 'eval'],
] as const;

/**
 * MNIST, or a data set of the same form such as Fashion-MNIST, from the four official files `train-images-idx3-ubyte.gz` and so
 * on: their folder, or one of them.
 *
 * @throws {BadDataset} if one of the files is missing
 * @see http://yann.lecun.com/exdb/mnist/
 */
export function mnist(from: string): ImageSet {
  const folder = existsSync(from) && statSync(from).isDirectory() ? from : path.dirname(from);
  const files = SPLITS.map(([prefix, split]) => ({
    split,
    images: path.join(folder, `${prefix}-images-idx3-ubyte.gz`),
    labels: path.join(folder, `${prefix}-labels-idx1-ubyte.gz`),
  }));
  const missing = files.flatMap(({ images, labels }) => [images, labels]).find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new BadDataset(`${missing} is not there: MNIST has four files, in one folder`);
  return {
    side: SIDE,
    channels: 1,
    classes: CLASSES,
    async *records() {
      for (const { split, images, labels } of files) yield* readSplit(split, images, labels);
    },
  };
}

async function* readSplit(split: string, images: string, labels: string): AsyncGenerator<ImageRecord> {
  const pixels = readItems(images, [SIDE, SIDE]);
  const truths = readItems(labels, []);
  for (;;) {
    const [image, truth] = await Promise.all([pixels.next(), truths.next()]);
    if (image.done !== truth.done)
      throw new BadDataset(`${images} and ${labels} hold different numbers of items`);
    if (image.done === true || truth.done === true) return;
    const label = truth.value[0] ?? -1;
    if (!(label in CLASSES)) throw new BadDataset(`${labels}: a label must be 0..9, is ${label}`);
    yield { split, label, pixels: image.value };
  }
}

/** Items of an IDX file of unsigned bytes, each of this shape. */
async function* readItems(file: string, shape: readonly number[]): AsyncGenerator<Uint8Array> {
  const itemBytes = shape.reduce((product, size) => product * size, 1);
  const headerBytes = 8 + 4 * shape.length;
  let held = Buffer.alloc(0);
  let left: number | undefined;
  try {
    for await (const chunk of createReadStream(file).pipe(createGunzip())) {
      if (!(chunk instanceof Buffer)) throw new BadDataset(`${file} gave no bytes`);
      held = Buffer.concat([held, chunk]);
      if (left === undefined) {
        if (held.length < headerBytes) continue;
        left = readCount(file, held, shape);
        held = held.subarray(headerBytes);
      }
      let at = 0;
      for (; at + itemBytes <= held.length && left > 0; at += itemBytes, left--)
        yield held.subarray(at, at + itemBytes);
      held = held.subarray(at);
    }
  } catch (error) {
    if (error instanceof BadDataset) throw error;
    throw new BadDataset(`${file} cannot be read: ${readFailure(error)}`);
  }
  if (left !== 0) throw new BadDataset(`${file} is cut off`);
}

function readCount(file: string, header: Buffer, shape: readonly number[]): number {
  const magic = 0x800 + shape.length + 1;
  const sizes = shape.map((_, axis) => header.readUInt32BE(8 + 4 * axis));
  if (header.readUInt32BE(0) !== magic || sizes.some((size, axis) => size !== shape[axis]))
    throw new BadDataset(
      `${file} must be an IDX file of unsigned bytes${shape.length > 0 ? `, each item ${shape.join(' x ')}` : ''}`,
    );
  return header.readUInt32BE(4);
}
