import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { readFailure } from '../files/file-problem.ts';
import { BadDataset, type ImageRecord, type ImageSet } from './image-record.ts';
import { readPickle } from './pickle.ts';

const CLASSES = [
  'airplane',
  'automobile',
  'bird',
  'cat',
  'deer',
  'dog',
  'frog',
  'horse',
  'ship',
  'truck',
] as const;
const SIDE = 32;
const PLANE = SIDE * SIDE;
const IMAGE_BYTES = 3 * PLANE;

/** The fifth batch is for validation, as in SageMaker's own example. */
const SPLITS: ReadonlyMap<string, string> = new Map([
  ['data_batch_1', 'train'],
  ['data_batch_2', 'train'],
  ['data_batch_3', 'train'],
  ['data_batch_4', 'train'],
  ['data_batch_5', 'validation'],
  ['test_batch', 'eval'],
]);

/** A batch of 10,000 images has 31 MB; only one is in memory at a time. */
const MAX_BATCH_BYTES = 64_000_000;

/**
 * CIFAR-10 from `cifar-10-python.tar.gz` or `cifar-10-binary.tar.gz`, as Toronto publishes them. Nothing is unpacked: the
 * archive's own paths are not used.
 *
 * @see https://www.cs.toronto.edu/~kriz/cifar.html
 */
export function cifar10(file: string): ImageSet {
  return { side: SIDE, channels: 3, classes: CLASSES, records: () => readRecords(file) };
}

async function* readRecords(file: string): AsyncGenerator<ImageRecord> {
  const entries = extract();
  const fed = pipeline(createReadStream(file), createGunzip(), entries);
  // The error reaches the reader of the entries; it must not be thrown twice.
  fed.catch(() => undefined);
  let batches = 0;
  try {
    for await (const entry of entries) {
      const name = path.posix.basename(entry.header.name, '.bin');
      const split = SPLITS.get(name);
      if (split === undefined || entry.header.type !== 'file') {
        entry.resume();
        continue;
      }
      batches++;
      const bytes = await readWhole(entry, entry.header.name);
      const isBinary = entry.header.name.endsWith('.bin');
      yield* isBinary ? binaryBatch(bytes, split, name) : pickledBatch(bytes, split, name);
    }
    await fed;
  } catch (error) {
    if (error instanceof BadDataset) throw error;
    throw new BadDataset(
      `${file} is not cifar-10-python.tar.gz or cifar-10-binary.tar.gz: ${readFailure(error)}`,
    );
  }
  if (batches < SPLITS.size) {
    throw new BadDataset(
      `${file} holds ${batches} of the ${SPLITS.size} batches of CIFAR-10 (data_batch_1 … 5 and test_batch): take cifar-10-python.tar.gz or cifar-10-binary.tar.gz`,
    );
  }
}

async function readWhole(entry: AsyncIterable<unknown>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of entry) {
    if (!(chunk instanceof Buffer)) throw new BadDataset('the archive gave no bytes');
    size += chunk.length;
    if (size > MAX_BATCH_BYTES) throw new BadDataset(`${name} must have at most ${MAX_BATCH_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Records of a label and three planes. */
function* binaryBatch(bytes: Buffer, split: string, name: string): Generator<ImageRecord> {
  if (bytes.length % (1 + IMAGE_BYTES) !== 0)
    throw new BadDataset(
      `${name}.bin must have records of ${1 + IMAGE_BYTES} bytes, has ${bytes.length} bytes`,
    );
  for (let at = 0; at < bytes.length; at += 1 + IMAGE_BYTES) {
    yield toRecord(split, bytes[at], bytes.subarray(at + 1, at + 1 + IMAGE_BYTES), name);
  }
}

function* pickledBatch(bytes: Buffer, split: string, name: string): Generator<ImageRecord> {
  const batch = readPickle(bytes);
  const labels: unknown = batch instanceof Map ? batch.get('labels') : undefined;
  const array: unknown = batch instanceof Map ? batch.get('data') : undefined;
  const state: unknown =
    typeof array === 'object' && array !== null ? Reflect.get(array, 'state') : undefined;
  const data: unknown = Array.isArray(state) ? state.at(-1) : undefined;
  if (!Array.isArray(labels) || !(data instanceof Buffer) || data.length !== labels.length * IMAGE_BYTES)
    throw new BadDataset(`${name} must hold labels, and ${IMAGE_BYTES} bytes for each`);
  for (const [index, label] of labels.entries()) {
    yield toRecord(split, label, data.subarray(index * IMAGE_BYTES, (index + 1) * IMAGE_BYTES), name);
  }
}

function toRecord(split: string, label: unknown, planes: Uint8Array, name: string): ImageRecord {
  if (typeof label !== 'number' || !(label in CLASSES))
    throw new BadDataset(`${name}: a label must be 0..9, is ${String(label)}`);
  const pixels = new Uint8Array(IMAGE_BYTES);
  for (let pixel = 0; pixel < PLANE; pixel++) {
    for (let channel = 0; channel < 3; channel++)
      pixels[pixel * 3 + channel] = planes[channel * PLANE + pixel] ?? 0;
  }
  return { split, label, pixels };
}
