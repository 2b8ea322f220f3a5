import { gzipSync } from 'node:zlib';
import type { CreateTransformJobCommandInput } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
beforeEach(async () => {
  await stack?.close();
  stack = await localTransforms(({ bytes }) => `<${bytes.toString('latin1')}>`);
});
afterAll(() => stack.close());

const split = (
  SplitType: 'Line' | 'RecordIO' | 'TFRecord' | 'None',
  BatchStrategy: 'SingleRecord' | 'MultiRecord',
  more: Partial<CreateTransformJobCommandInput> = {},
): Partial<CreateTransformJobCommandInput> => ({
  BatchStrategy,
  TransformInput: {
    DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/in/' } },
    SplitType,
  },
  ...more,
});
const assembled = { TransformOutput: { S3OutputPath: 's3://bucket/out', AssembleWith: 'Line' as const } };
const bodies = () => stack.invocations.map(({ bytes }) => bytes.toString('latin1')).sort();

test('single lines are sent one by one and answered in order', async () => {
  stack.objects.put('in/lines', 'one\ntwo\nthree');
  await stack.run('single', split('Line', 'SingleRecord', assembled));
  expect(bodies()).toEqual(['one', 'three', 'two']);
  expect(stack.objects.text('out/lines.out')).toBe('<one>\n<two>\n<three>\n');
});

test('as many lines as fit go into one request', async () => {
  const line = `${'x'.repeat(400 * 1024 - 1)}\n`;
  stack.objects.put('in/lines', line.repeat(5));
  await stack.run('multi', split('Line', 'MultiRecord', { MaxPayloadInMB: 1 }));
  expect(stack.invocations.map(({ bytes }) => bytes.length).sort()).toEqual([
    400 * 1024,
    800 * 1024,
    800 * 1024,
  ]);
});

test('without a split the object is one request, and answers are concatenated as they are', async () => {
  stack.objects.put('in/whole', 'one\ntwo\n');
  await stack.run('none', split('None', 'MultiRecord'));
  expect(bodies()).toEqual(['one\ntwo\n']);
  expect(stack.objects.text('out/whole.out')).toBe('<one\ntwo\n>');
});

function tfRecord(payload: string): Buffer {
  const length = Buffer.alloc(12);
  length.writeBigUInt64LE(BigInt(payload.length));
  return Buffer.concat([length, Buffer.from(payload), Buffer.alloc(4)]);
}

function recordIO(payload: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0xced7230a);
  head.writeUInt32LE(payload.length, 4);
  return Buffer.concat([head, Buffer.from(payload), Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

test.each([
  ['TFRecord' as const, tfRecord],
  ['RecordIO' as const, recordIO],
])('%s: one record loses its frame, several keep theirs', async (type, frame) => {
  const file = Buffer.concat([frame('first'), frame('second!')]);
  stack.objects.put('in/records', file);
  await stack.run('single', split(type, 'SingleRecord'));
  expect(bodies()).toEqual(['first', 'second!']);
  stack.invocations.length = 0;
  await stack.run('multi', split(type, 'MultiRecord'));
  expect(bodies()).toEqual([file.toString('latin1')]);
});

test.each(['TFRecord' as const, 'RecordIO' as const])('a torn %s file fails', async (type) => {
  stack.objects.put('in/records', (type === 'TFRecord' ? tfRecord : recordIO)('whole').subarray(0, -4));
  stack.objects.put('in/fine', (type === 'TFRecord' ? tfRecord : recordIO)('fine'));
  const job = await stack.run('torn', split(type, 'SingleRecord'));
  expect(job.FailureReason).toBe('ClientError: See job logs for more information');
  expect(stack.objects.created).toEqual(['out/fine.out']);
});

test('gzip is opened before the split; the name keeps its ending', async () => {
  stack.objects.put('in/lines.gz', gzipSync('one\ntwo\n'));
  const gzip = split('Line', 'SingleRecord', assembled);
  await stack.run('gzip', { ...gzip, TransformInput: { ...gzip.TransformInput!, CompressionType: 'Gzip' } });
  expect(stack.objects.text('out/lines.gz.out')).toBe('<one>\n<two>\n');
});

test('an object over the payload limit is not sent', async () => {
  stack.objects.put('in/big', Buffer.alloc(1024 * 1024 + 1));
  stack.objects.put('in/fits', Buffer.alloc(1024 * 1024));
  const job = await stack.run('large', { MaxPayloadInMB: 1 });
  expect(job.FailureReason).toBe('ClientError: See job logs for more information');
  expect(stack.objects.created).toEqual(['out/fits.out']);
  expect(stack.logLines.join('\n')).toContain(
    'bucket/in/big: ClientError: 1048577 bytes is over the limit of 1048576 bytes',
  );
});

test('answers go to the output as they come: of a file of any size, a few are held', async () => {
  const lines = 500;
  stack.objects.put('in/lines', Array.from({ length: lines }, (_, line) => `${line}\n`).join(''));
  const { write } = stack.objects;
  const held: number[] = [];
  stack.objects.write = async (bucket, key, body, options) => {
    if (Buffer.isBuffer(body)) throw new Error('the output came whole');
    async function* counted(pieces: AsyncIterable<Buffer>) {
      let taken = 0;
      for await (const piece of pieces) {
        held.push(stack.invocations.length - taken++);
        yield piece;
      }
    }
    return write(bucket, key, counted(body), options);
  };
  const job = await stack.run('large', split('Line', 'SingleRecord', assembled));
  expect(job.TransformJobStatus).toBe('Completed');
  expect(held).toHaveLength(lines);
  // Four requests at a time, and four answers for each of them.
  expect(Math.max(...held)).toBeLessThanOrEqual(16);
  expect(stack.objects.text('out/lines.out')).toBe(
    Array.from({ length: lines }, (_, line) => `<${line}>\n`).join(''),
  );
});
