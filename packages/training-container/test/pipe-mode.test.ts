import { expect, test } from 'vitest';
import type { TrainingChannel } from '../training-request.ts';
import { printed, standInJob } from './stand-in.ts';

/** Reads epochs of the channel `train` to their ends, or the first bytes of one. */
const READER = `
  const fs = require('node:fs');
  const open = (epoch) => {
    const path = process.env.SM_INPUT_DIR + '/data/train_' + epoch;
    while (!fs.existsSync(path)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    return fs.openSync(path, 'r');
  };
  const readAll = (epoch) => {
    const descriptor = open(epoch), bytes = Buffer.alloc(1 << 16), parts = [];
    for (let size = fs.readSync(descriptor, bytes); size > 0; size = fs.readSync(descriptor, bytes)) parts.push(Buffer.from(bytes.subarray(0, size)));
    fs.closeSync(descriptor);
    return Buffer.concat(parts);
  };
`;

const bytesOf = async function* (...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
};

function pipe(
  objects: (host: number, epoch: number) => Iterable<AsyncIterable<Uint8Array>>,
  more: Partial<TrainingChannel> = {},
): TrainingChannel {
  return {
    name: 'train',
    inputMode: 'Pipe',
    distribution: 'FullyReplicated',
    recordWrapper: 'None',
    open: async function* (host, epoch) {
      yield* objects(host, epoch);
    },
    ...more,
  };
}

test('each epoch of each host is a pipe of its own with the objects one after the other', async () => {
  const channel = pipe((host, epoch) => [
    bytesOf(Buffer.from(`host ${host} `), Buffer.from(`epoch ${epoch}`)),
    bytesOf(Buffer.from('!')),
  ]);
  const job = await standInJob(
    { 'train.py': `${READER} for (let epoch = 0; epoch < 3; epoch++) console.log(String(readAll(epoch)))` },
    { hostCount: 2, channels: [channel] },
  );
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0, 'algo-2': 0 } });
  expect(printed(job, 'algo-2')).toEqual(['host 1 epoch 0!', 'host 1 epoch 1!', 'host 1 epoch 2!']);
});

test('a reader may close early and has the next epoch; no more is read ahead than pipe and buffers hold', async () => {
  const sent = [0, 0];
  const channel = pipe((_host, epoch) => [
    (async function* () {
      for (let piece = 0; piece < 1000; piece++) {
        yield Buffer.alloc(1 << 16, epoch);
        sent[epoch] = (sent[epoch] ?? 0) + 1;
      }
    })(),
  ]);
  const job = await standInJob(
    {
      'train.py': `${READER}
        const first = open(0); fs.readSync(first, Buffer.alloc(10)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        fs.closeSync(first); console.log(readAll(1).length)`,
    },
    { channels: [channel] },
  );
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
  expect(printed(job)).toEqual([String(1000 * (1 << 16))]);
  expect(sent[0]).toBeLessThan(20);
  expect(sent[1]).toBe(1000);
});

test('RecordIO makes a record of each object', async () => {
  const channel = pipe(() => [bytesOf(Buffer.from('abc'), Buffer.from('de')), bytesOf()], {
    recordWrapper: 'RecordIO',
  });
  const job = await standInJob(
    { 'train.py': `${READER} console.log(readAll(0).toString('hex'))` },
    { channels: [channel] },
  );
  await job.run();
  expect(printed(job)).toEqual(['0a23d7ce0500000061626364650000000a23d7ce00000000']);
});

test('a channel that cannot be read fails the job with the service’s words, and stops the script', async () => {
  const channel = pipe(() => {
    throw new Error('Unable to download object s3://b/k (AccessDenied: Access Denied)');
  });
  const job = await standInJob(
    { 'train.py': `${READER} readAll(0); setInterval(() => {}, 1000)` },
    { channels: [channel] },
  );
  const { failure } = await job.run();
  expect(failure?.reason).toBe(
    'ClientError: Data download failed:channel train: Unable to download object s3://b/k (AccessDenied: Access Denied)',
  );
});

test('a channel that no script reads does not hold the job', async () => {
  const job = await standInJob({ 'train.py': '' }, { channels: [pipe(() => [])] });
  expect(await job.run()).toEqual({ exitCodes: { 'algo-1': 0 } });
});
