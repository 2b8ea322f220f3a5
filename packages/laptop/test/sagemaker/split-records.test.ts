import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitRecords, type SplitType } from '../../sagemaker/transform/split-records.ts';

function tfRecord(payload: Buffer): Buffer {
  const length = Buffer.alloc(12);
  length.writeBigUInt64LE(BigInt(payload.length));
  return Buffer.concat([length, payload, Buffer.alloc(4)]);
}

function recordIO(payload: Buffer, flag = 0): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0xced7230a);
  head.writeUInt32LE(((flag << 29) | payload.length) >>> 0, 4);
  return Buffer.concat([head, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

/** Hands a file out in pieces of the given sizes, again and again. */
async function* inPieces(file: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  for (let at = 0, turn = 0; at < file.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield file.subarray(at, at + size);
    at += size;
  }
}

async function split(file: Buffer, type: SplitType, sizes = [file.length || 1], limit = Infinity) {
  const records = (await Array.fromAsync(splitRecords(inPieces(file, sizes), type, limit))).flat();
  return {
    payloads: records.map(({ payload }) => payload.toString('latin1')),
    framed: Buffer.concat(records.map(({ framed }) => framed)),
  };
}

const FORMATS: readonly [SplitType, (payload: Buffer) => Buffer][] = [
  ['TFRecord', tfRecord],
  ['RecordIO', recordIO],
  ['Line', (payload) => Buffer.concat([Buffer.from(payload.toString('hex')), Buffer.from('\n')])],
];

test.each(FORMATS)('%s: however the bytes come, the records are the same', async (type, frame) => {
  const payloads = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 12 });
  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(payloads, sizes, async (bodies, pieces) => {
      const file = Buffer.concat(bodies.map((body) => frame(Buffer.from(body))));
      const { payloads: found, framed } = await split(file, type, pieces);
      const shown = (body: Uint8Array) => Buffer.from(body).toString(type === 'Line' ? 'hex' : 'latin1');
      expect(found).toEqual(bodies.map(shown));
      expect(framed).toEqual(file);
    }),
    { numRuns: 60 },
  );
});

test('a record that held the magic number comes in parts and is put together', async () => {
  const file = Buffer.concat([recordIO(Buffer.from('ab'), 1), recordIO(Buffer.from('cd'), 3)]);
  expect((await split(file, 'RecordIO', [5])).payloads).toEqual(['ab\x0a\x23\xd7\xcecd']);
});

test('an object that is not split is one record, an empty one none', async () => {
  expect((await split(Buffer.from('a\nb'), 'None', [1])).payloads).toEqual(['a\nb']);
  expect((await split(Buffer.alloc(0), 'None')).payloads).toEqual([]);
});

test('a last line without a newline counts', async () => {
  expect((await split(Buffer.from('a\n\nb'), 'Line', [2])).payloads).toEqual(['a', '', 'b']);
});

test('what can be no record under the limit is not held', async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    for (;;) {
      given += 1000;
      yield Buffer.alloc(1000, 'x');
    }
  }
  const reading = Array.fromAsync(splitRecords(endless(), 'Line', 1000));
  await expect(reading).rejects.toThrow('is over the limit of 1000 bytes (MaxPayloadInMB)');
  expect(given).toBeLessThan(10_000);
  const head = tfRecord(Buffer.alloc(5000)).subarray(0, 20);
  await expect(split(head, 'TFRecord', [4], 1000)).rejects.toThrow('a record of at least 5016 bytes');
});
