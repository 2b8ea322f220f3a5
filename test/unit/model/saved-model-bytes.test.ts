import { expect, test } from 'vitest';
import { tarOf } from '../../../packages/model-container/test/support/model-archive.ts';
import { type ModelSignature, readSignatures } from '../../../src/model/read-signatures.ts';
import { tarFiles } from '../../../src/model/tar-files.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { answeringModel } from '../../../src/plan/judge/judge-archive.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';
import { pieces } from '../../support/pieces.ts';
import { type ProtoField, toProtoBytes } from '../../support/proto-message.ts';
import { savedModelProto } from '../../support/saved-model-proto.ts';

/** The signatures of `saved_model.pb`, as the archive with it goes by. */
async function read(...parts: readonly Uint8Array[]) {
  const archive = await tarOf({ 'saved_model.pb': Buffer.concat(parts) });
  for await (const { body } of tarFiles(pieces(archive, 700))) return await readSignatures(body);
  throw new Error('the archive has no file');
}

/** A field of bytes: its number times 8 plus 2, as https://protobuf.dev/programming-guides/encoding/ has it. */
const field = (number: number, ...parts: readonly Uint8Array[]): Buffer => {
  const bytes = Buffer.concat(parts);
  const [, ...length] = toProtoBytes([[0, bytes.length]]);
  return Buffer.concat([Buffer.from([number * 8 + 2, ...length]), bytes]);
};
const FIXED = Buffer.from([7 * 8 + 1, 1, 2, 3, 4, 5, 6, 7, 8, 7 * 8 + 5, 1, 2, 3, 4]);
const NUMBER = Buffer.from([7 * 8, 0xac, 0x02]);
const SERVED = field(1, field(4, Buffer.from('serve')));

/** A served model whose only output has this description (`TensorInfo`). */
const withOutput = (info: Uint8Array): Buffer =>
  field(
    2,
    SERVED,
    field(
      5,
      FIXED,
      NUMBER,
      field(1, Buffer.from('f')),
      field(2, field(2, field(1, Buffer.from('y')), field(2, info))),
    ),
  );

// `DataType` of TensorFlow's types.proto.
test.each([
  ...[1, 2, 14, 19].map((type) => [type, 'float'] as const),
  ...[3, 4, 5, 6, 9, 17, 22, 23].map((type) => [type, 'integer'] as const),
  [7, 'string'] as const,
  ...[8, 10].map((type) => [type, 'other'] as const),
])('values of data type %d are of kind %s', async (type, kind) => {
  await expect(read(withOutput(toProtoBytes([[2, type]])))).resolves.toEqual([
    { name: 'f', inputs: [], outputs: [{ name: 'y', kind, shape: undefined }] },
  ]);
});

const MINUS_ONE = Buffer.from([8, ...Array.from({ length: 9 }, () => 0xff), 1]);
test.each([
  ['no dimensions', [], []],
  ['any number of them', [toProtoBytes([[3, 1]])], undefined],
  [
    'a size that is open, and some that are not',
    [
      field(2, MINUS_ONE),
      toProtoBytes([
        [2, [[1, 1000]]],
        [2, [[1, 128]]],
        [2, []],
      ]),
    ],
    [-1, 1000, 128, 0],
  ],
  [
    'names of dimensions beside the sizes',
    [
      toProtoBytes([
        [
          2,
          [
            [2, 'rows'],
            [1, 5],
          ],
        ],
      ]),
    ],
    [5],
  ],
  [
    'fields of other kinds',
    [FIXED, NUMBER, toProtoBytes([[2, [[1, 5]]]]), field(2, FIXED, toProtoBytes([[1, 6]]))],
    [5, 6],
  ],
])('a shape is read with %s', async (_what, parts, shape) => {
  const [signature] =
    (await read(withOutput(Buffer.concat([toProtoBytes([[2, 1]]), field(3, ...parts)])))) ?? [];
  expect(signature?.outputs[0]?.shape).toEqual(shape);
});

const signature = (name: string): ProtoField => [5, [[1, name]]];
const graph = (tags: readonly string[], ...names: readonly string[]): ProtoField => [
  2,
  [[1, tags.map((tag): ProtoField => [4, tag])], [2, 'the graph'], [3, 9], ...names.map(signature)],
];

test.each([
  ['beside a graph for training', toProtoBytes([graph(['train'], 'a'), graph(['serve'], 'b')])],
  ['with several tags', toProtoBytes([graph(['serve', 'gpu'], 'b')])],
  [
    'behind fields of other kinds',
    Buffer.concat([FIXED, NUMBER, toProtoBytes([[1, 1], [2, 5], graph(['serve'], 'b')])]),
  ],
  ['within them', field(2, FIXED, NUMBER, SERVED, field(5, FIXED, field(1, Buffer.from('b'))), FIXED)],
  [
    'before a graph that is damaged',
    Buffer.concat([toProtoBytes([graph(['serve'], 'b')]), Buffer.from([0x12, 0x50])]),
  ],
])('the signatures of the served graph are read: %s', async (_where, bytes) => {
  await expect(read(bytes)).resolves.toEqual([{ name: 'b', inputs: [], outputs: [] }]);
});

const whole = savedModelProto({ y: { sizes: [3] } });
test.each([
  ['nothing', Buffer.alloc(0)],
  ['a graph without tags', toProtoBytes([graph([], 'a')])],
  ['a graph that is cut', whole.subarray(0, -1)],
  ['a graph of which the description is cut', whole.subarray(0, 20)],
  [
    'a graph that ends within a field',
    Buffer.concat([field(2, SERVED, Buffer.from([0x2a, 5])), Buffer.from('later')]),
  ],
  [
    'a field that ends behind its graph',
    Buffer.concat([field(2, SERVED, Buffer.from([0x1d])), Buffer.alloc(4)]),
  ],
  ['a field whose length is cut', Buffer.from([0x1a, 0x80])],
  ['a field that is cut', Buffer.from([0x1a, 5, 1])],
  ['a number that is cut', Buffer.from([0x08, 0x80])],
  ['a kind of field that Protocol Buffers does not have', Buffer.concat([Buffer.from([7 * 8 + 6]), whole])],
  [
    'a number of more than ten bytes',
    Buffer.concat([Buffer.from([8, ...Array.from({ length: 10 }, () => 0x80), 1]), whole]),
  ],
  ['a description of more than 16 MB', toProtoBytes([graph(['serve'], 'x'.repeat(16_000_001))])],
])('no signature is taken from %s', async (_what, bytes) => {
  await expect(read(bytes)).resolves.toBe(undefined);
});

const found = (name: string, outputs = 1): ModelSignature => ({
  name,
  inputs: [],
  outputs: Array.from({ length: outputs }, () => ({ name: 'y', kind: 'float', shape: [-1] })),
});
const served = found('serving_default');
const old = found('serving_default', 2);

test.each<[string, Record<string, ModelSignature[]>, ModelSignature | undefined]>([
  ['the default one', { '1/saved_model.pb': [found('embed'), served] }, served],
  ['that of the highest number', { 'm/9/saved_model.pb': [old], 'm/10/saved_model.pb': [served] }, served],
  ['that of a folder deep down', { 'export/models/m/0000123/saved_model.pb': [served] }, served],
  ['not that of a file at the root', { 'saved_model.pb': [old], '1/saved_model.pb': [served] }, served],
  [
    'not that of a folder without a number',
    { 'v2/saved_model.pb': [old], '1/saved_model.pb': [served] },
    served,
  ],
  ['not that of a backup', { '2/saved_model.pb.old': [old], '1/saved_model.pb': [served] }, served],
  ['none of two models', { 'a/1/saved_model.pb': [served], 'b/1/saved_model.pb': [served] }, undefined],
  ['none without the default', { '1/saved_model.pb': [found('embed')] }, undefined],
  ['none of no model', {}, undefined],
])('the signature that answers is %s', (_which, files, expected) => {
  const archive = { files: Object.keys(files), signatures: new Map(Object.entries(files)), onnx: null };
  expect(answeringModel(archive, PipelineConfig.parse(PIPELINE).model).signature).toBe(expected);
});
