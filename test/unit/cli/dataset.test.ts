import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { pack } from 'tar-stream';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SIDE = 32;
const BATCHES = [
  'data_batch_1',
  'data_batch_2',
  'data_batch_3',
  'data_batch_4',
  'data_batch_5',
  'test_batch',
];

/** Red is the label, green the row, blue the column. */
function planes(label: number): Buffer {
  const bytes = Buffer.alloc(3 * SIDE * SIDE, label);
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
    bytes[SIDE * SIDE + pixel] = Math.floor(pixel / SIDE);
    bytes[2 * SIDE * SIDE + pixel] = pixel % SIDE;
  }
  return bytes;
}

async function tarFile(entries: Record<string, Buffer>): Promise<string> {
  const tar = pack();
  for (const [name, body] of Object.entries(entries)) tar.entry({ name }, body);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  const file = path.join(temporaryFolder('cifar-'), 'cifar.tar.gz');
  writeFileSync(file, gzipSync(Buffer.concat(chunks)));
  return file;
}

const binary = (labels: number[]) =>
  Buffer.concat(labels.flatMap((label) => [Buffer.from([label]), planes(label)]));

/** What Python 2's cPickle wrote for a batch. */
function pickled(labels: number[]): Buffer {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const text = (value: string) =>
    Buffer.concat([Buffer.from('U'), Buffer.from([value.length]), Buffer.from(value)]);
  const data = Buffer.concat(labels.map(planes));
  return Buffer.concat([
    Buffer.from('\x80\x02}q\x01(', 'latin1'),
    text('batch_label'),
    text('testing batch 1 of 1'),
    text('labels'),
    Buffer.from(']q\x05(', 'latin1'),
    Buffer.from(labels.flatMap((label) => [0x4b, label])),
    Buffer.from('e'),
    text('data'),
    Buffer.from(
      'cnumpy.core.multiarray\n_reconstruct\nq\x06cnumpy\nndarray\nq\x07K\x00\x85q\x08U\x01bq\t\x87Rq\n(K\x01',
      'latin1',
    ),
    Buffer.from([0x4b, labels.length, 0x4d, 0x00, 0x0c]),
    Buffer.from(
      '\x86q\x0bcnumpy\ndtype\nq\x0cU\x02u1q\rK\x00K\x01\x87Rq\x0e(K\x03U\x01|q\x0fNNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb\x89T',
      'latin1',
    ),
    u32(data.length),
    data,
    Buffer.from('tb'),
    text('filenames'),
    Buffer.from(']u.'),
  ]);
}

async function write(name: string, from: string) {
  const to = temporaryFolder('dataset-');
  const terminal = silentTerminal();
  await runCommandLine(['dataset', name, '--from', from, '--to', to], terminal);
  return { to, lines: terminal.lines };
}

/** Shape and bytes of a NumPy file. */
function npy(file: string) {
  const bytes = readFileSync(file);
  const header = bytes.toString('latin1', 10, 10 + bytes.readUInt16LE(8));
  return {
    shape: /'shape': (\([^)]*\))/.exec(header)?.[1],
    data: bytes.subarray(10 + bytes.readUInt16LE(8)),
  };
}

test.each([
  ['binary', '.bin', binary],
  ['python', '', pickled],
])('CIFAR-10, %s version: PNG files, NumPy arrays and TFRecords', async (_name, suffix, batch) => {
  const entries = BATCHES.map((name, index) => [`cifar-10-batches/${name}${suffix}`, batch([index, 9])]);
  const { to, lines } = await write('cifar10', await tarFile(Object.fromEntries(entries)));
  expect(lines).toEqual([
    `train      8 images in ${to}/{png,tfrecords,npy}`,
    `validation 2 images in ${to}/{png,tfrecords,npy}`,
    `eval       2 images in ${to}/{png,tfrecords,npy}`,
  ]);
  expect(readdirSync(path.join(to, 'png', 'eval'))).toEqual(['00000_dog.png', '00001_truck.png']);
  const png = PNG.sync.read(readFileSync(path.join(to, 'png', 'eval', '00001_truck.png')));
  expect([...png.data.subarray(4 * (SIDE * 2 + 3), 4 * (SIDE * 2 + 3) + 3)]).toEqual([9, 2, 3]);
  const images = npy(path.join(to, 'npy', 'train-images.npy'));
  expect(images.shape).toBe('(8, 32, 32, 3,)');
  expect([...images.data.subarray(3 * (SIDE * 2 + 3), 3 * (SIDE * 2 + 3) + 3)]).toEqual([0, 2, 3]);
  const labels = npy(path.join(to, 'npy', 'validation-labels.npy'));
  expect([labels.shape, labels.data.readBigInt64LE(0), labels.data.readBigInt64LE(8)]).toEqual([
    '(2,)',
    4n,
    9n,
  ]);
  const records = readFileSync(path.join(to, 'tfrecords', 'eval', 'eval.tfrecords'));
  const length = Number(records.readBigUInt64LE(0));
  expect(records).toHaveLength(2 * (length + 16));
  // TensorFlow's reader takes it.
  expect(records.readUInt32LE(8)).toBe(3521682905);
  expect(records.includes(planes(9))).toBe(true);
});

test('MNIST: the four files, or their folder', async () => {
  const folder = temporaryFolder('mnist-');
  const idx = (magic: number, sizes: number[], data: Buffer) => {
    const header = Buffer.alloc(4 + 4 * sizes.length);
    [magic, ...sizes].forEach((value, index) => header.writeUInt32BE(value, 4 * index));
    return gzipSync(Buffer.concat([header, data]));
  };
  for (const [prefix, labels] of [
    ['train', [7, 2, 1]],
    ['t10k', [0]],
  ] as const) {
    const pixels = Buffer.concat(labels.map((label) => Buffer.alloc(784, label)));
    writeFileSync(
      path.join(folder, `${prefix}-images-idx3-ubyte.gz`),
      idx(0x803, [labels.length, 28, 28], pixels),
    );
    writeFileSync(
      path.join(folder, `${prefix}-labels-idx1-ubyte.gz`),
      idx(0x801, [labels.length], Buffer.from(labels)),
    );
  }
  const { to } = await write('mnist', path.join(folder, 'train-images-idx3-ubyte.gz'));
  expect(readdirSync(path.join(to, 'png', 'train'))).toEqual(['00000_7.png', '00001_2.png', '00002_1.png']);
  expect(npy(path.join(to, 'npy', 'train-images.npy')).shape).toBe('(3, 28, 28, 1,)');

  writeFileSync(path.join(folder, 't10k-labels-idx1-ubyte.gz'), idx(0x801, [2], Buffer.from([0])));
  await expect(write('mnist', folder)).rejects.toThrow('t10k-labels-idx1-ubyte.gz is cut off');
});

test.each([
  [
    'an archive without the batches',
    async () => tarFile({ 'readme.html': Buffer.from('x') }),
    'holds 0 of the 6 batches',
  ],
  [
    'an invalid label',
    async () => tarFile({ 'data_batch_1.bin': binary([10]) }),
    'a label must be 0..9, is 10',
  ],
  [
    'records cut off',
    async () => tarFile({ 'data_batch_1.bin': binary([1]).subarray(1) }),
    'must have records of 3073 bytes',
  ],
  [
    'a pickle that would run a program',
    async () => tarFile({ data_batch_1: Buffer.from('\x80\x02cos\nsystem\n(U\x02lstR.', 'latin1') }),
    'data_batch_1 must hold labels',
  ],
  [
    'no archive',
    async () => path.join(import.meta.dirname, 'dataset.test.ts'),
    'is not cifar-10-python.tar.gz',
  ],
])('%s is refused', async (_name, make, reason) => {
  await expect(write('cifar10', await make())).rejects.toThrow(reason);
});

test('what lies in an archive under a climbing name is written nowhere else', async () => {
  const entries = BATCHES.map((name) => [`../../${name}.bin`, binary([1])]);
  const { to } = await write('cifar10', await tarFile(Object.fromEntries(entries)));
  expect(readdirSync(to).sort()).toEqual(['npy', 'png', 'tfrecords']);
});

test('a folder that holds something is not written into', async () => {
  const to = temporaryFolder('full-');
  writeFileSync(path.join(to, 'x'), '');
  await expect(
    runCommandLine(['dataset', 'mnist', '--from', to, '--to', to], silentTerminal()),
  ).rejects.toThrow('must be empty');
});
