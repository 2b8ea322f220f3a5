import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { WireWriter } from '@inferdrop/savedmodel/internal/wire-writer';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { onnxHandlerModule } from '../../../scripts/onnx-handler.ts';
import { layoutProblems } from '../../../src/frameworks/archives.ts';
import { onnx } from '../../../src/frameworks/onnx/archive.ts';
import { ONNXRUNTIME } from '../../../src/frameworks/onnx/judge-onnx.ts';
import { readArchive } from '../../../src/model/read-archive.ts';

type Write = (writer: WireWriter) => void;

function message(...parts: Write[]): WireWriter {
  const writer = new WireWriter();
  for (const part of parts) part(writer);
  return writer;
}

const int =
  (field: number, value: number): Write =>
  (writer) =>
    writer.int(field, value);
const text =
  (field: number, value: string): Write =>
  (writer) =>
    writer.text(field, value);
const within =
  (field: number, ...parts: Write[]): Write =>
  (writer) =>
    writer.message(field, message(...parts));

const FLOAT = 1;
const dimension = (size: number | string): Write =>
  within(1, typeof size === 'number' ? int(1, size) : text(2, size));
const value = (field: number, name: string, shape: (number | string)[], type = FLOAT): Write =>
  within(field, text(1, name), within(2, within(1, int(1, type), within(2, ...shape.map(dimension)))));
const node = (operator: string, domain = '', ...more: Write[]): Write =>
  within(1, text(1, 'x'), text(2, 'y'), text(4, operator), text(7, domain), ...more);
const input = (shape: (number | string)[] = ['batch', 3], type = FLOAT): Write => value(11, 'x', shape, type);
const output = value(12, 'y', ['batch', 2]);

/** A model of one graph; what `more` writes stands beside it. */
function model(graph: Write[], { opset = 18, ir = 10, more = [] as Write[] } = {}): Uint8Array {
  return message(
    int(1, ir),
    text(2, 'test'),
    within(7, ...graph),
    within(8, int(2, opset)),
    ...more,
  ).toBytes();
}

const PLAIN = model([node('Relu'), input(), output]);

async function judge(
  onnx: Uint8Array,
  { files = {}, ...needs }: { files?: Record<string, string> } & Record<string, unknown> = {},
): Promise<string[]> {
  const archive = await readArchive(
    ReadableOf(await modelArchive({ 'model.onnx': Buffer.from(onnx), ...files })),
  );
  if ('reason' in archive) throw new Error(archive.reason);
  return layoutProblems(
    archive.files,
    { framework: 'onnx', contentType: 'application/json', networkIsolation: false, ...needs },
    archive,
  );
}

async function* ReadableOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test('inputs, outputs, opset, operators and producer of a model are read', async () => {
  const archive: any = await readArchive(
    ReadableOf(await modelArchive({ 'model.onnx': Buffer.from(PLAIN) })),
  );
  expect(archive.onnx).toEqual({
    sizeBytes: PLAIN.length,
    irVersion: 10,
    producer: 'test',
    opsets: new Map([['', 18]]),
    inputs: [{ name: 'x', kind: 'tensor', type: 'float32', shape: ['batch', 3] }],
    outputs: [{ name: 'y', kind: 'tensor', type: 'float32', shape: ['batch', 2] }],
    operators: new Map([['', ['Relu']]]),
    nodes: 1,
    external: [],
    classes: null,
    contradictions: [],
  });
  expect(await judge(PLAIN)).toEqual([]);
});

const tensor = (dims: number[], bytes: number, ...more: Write[]): Write =>
  within(
    5,
    ...dims.map((size) => int(1, size)),
    int(2, FLOAT),
    text(8, 'w'),
    (writer) => writer.bytes(9, new Uint8Array(bytes)),
    ...more,
  );
const external = (place: string): Write =>
  within(
    5,
    int(1, 2),
    int(2, FLOAT),
    text(8, 'w'),
    within(13, text(1, 'location'), text(2, place)),
    int(14, 1),
  );

/** An `If` whose branch is the graph within it, and so on. */
function nested(depth: number): Write[] {
  return depth === 0
    ? [node('Relu')]
    : [node('If', '', within(5, text(1, 'then_branch'), within(6, ...nested(depth - 1))))];
}

describe('what onnxruntime would not load is refused by name', () => {
  test.each<[string, Uint8Array, string]>([
    ['a later opset', model([node('Relu'), input(), output], { opset: 27 }), 'opset 27, and onnxruntime'],
    ['a later format', model([node('Relu'), input(), output], { ir: 14 }), 'format version 14'],
    ['an operator that nobody knows', model([node('Foo'), input(), output]), 'does not know: Foo:'],
    [
      'one of a domain of its own',
      model([node('Foo', 'my.ops'), input(), output]),
      'does not know: my.ops.Foo:',
    ],
    [
      'weights above the folder',
      model([node('Relu'), external('../w'), input(), output]),
      'from "../w", outside',
    ],
    [
      'weights at an absolute path',
      model([node('Relu'), external('/etc/w'), input(), output]),
      'from "/etc/w", outside',
    ],
    ['weights that are missing', model([node('Relu'), external('w.bin'), input(), output]), 'lacks w.bin'],
    [
      'a tensor of more than it has',
      model([tensor([1_000_000, 1_000_000], 8), input(), output]),
      'needs 4000000000000 bytes and has 8',
    ],
    ['branches within branches', model([...nested(30), input(), output]), 'nested more than 24 deep'],
    [
      'two graphs',
      model([node('Relu'), input(), output], { more: [within(7, node('Relu'))] }),
      'it has several graphs',
    ],
    ['half of a file', PLAIN.subarray(0, PLAIN.length - 20), 'is not read, because'],
    ['no model at all', Buffer.from('\u0008\u0009hello'), 'is not read, because'],
    ['an input of half precision', model([node('Relu'), input(['n', 3], 10), output]), '"x" takes float16'],
  ])('%s', async (_name, bytes, expected) => {
    const problems = await judge(bytes);
    expect(problems.join('\n')).toContain(expected);
  });

  test('constants, which it makes weights of, are known', async () => {
    expect(await judge(model([node('Constant'), node('Relu'), input(), output]))).toEqual([]);
  });

  test('operators of opsets before those that it computes are refused', async () => {
    const ofOpset = (opset: number) => judge(model([node('Add'), node('Relu'), input(), output], { opset }));
    expect(await ofOpset(7)).toEqual([]);
    expect(await ofOpset(6)).toEqual([
      expect.stringContaining(
        'opset 6, in which onnxruntime 1.30.0 does not compute Add: export it with opset_version=7',
      ),
    ]);
  });

  test('functions of the model itself are operators that it knows', async () => {
    const own = within(25, text(1, 'Foo'), text(10, 'my.ops'), within(7, text(4, 'Relu')));
    expect(await judge(model([node('Foo', 'my.ops'), input(), output], { more: [own] }))).toEqual([]);
  });

  test('weights beside the model are found', async () => {
    expect(
      await judge(model([node('Relu'), external('w.bin'), input(), output]), { files: { 'w.bin': 'w' } }),
    ).toEqual([]);
  });
});

describe('images', () => {
  const images = { scale: 1, mean: 0, std: 1, resize: 'stretch' };
  const image = { contentType: 'application/x-image' };
  const network = model([node('Relu'), input(['n', 3, 8, 8]), output]);

  test('settings are asked for, never guessed', async () => {
    expect(await judge(network, image)).toEqual([expect.stringContaining('set model.images to {"scale": ')]);
    expect(await judge(network, { ...image, images })).toEqual([]);
  });

  test.each<[string, (number | string)[], object, string]>([
    ['rows', ['n', 3], {}, 'takes no images'],
    ['open sizes', ['n', 3, 'h', 'w'], {}, 'takes no images'],
    ['eight at once', [8, 3, 8, 8], {}, 'takes 8 records at once, and an image is one'],
    [
      'settings of other channels',
      ['n', 1, 8, 8],
      { mean: [0, 0, 0] },
      'takes 1 channel, and model.images names [0,0,0]',
    ],
    [
      'an order of one channel',
      ['n', 1, 8, 8],
      { mean: 0, std: 1, order: 'BGR' },
      'has the order "BGR": leave it out',
    ],
    ['a cut that is too small', ['n', 8, 8, 3], { resize: 7 }, 'set it to 8 or more'],
  ])('%s are refused', async (_name, shape, change, expected) => {
    const bytes = model([node('Relu'), input(shape), output]);
    expect(await judge(bytes, { ...image, images: { ...images, ...change } })).toEqual([
      expect.stringContaining(expected),
    ]);
  });
});

describe('the handler that is added', () => {
  test('is the one of the container (npm run generate)', async () => {
    const file = new URL('../../../src/frameworks/onnx/handler-text.ts', import.meta.url);
    expect((await readFile(file, 'utf8')) === (await onnxHandlerModule())).toBe(true);
  });

  test('asks for the onnxruntime of this machine', async () => {
    const manifest = new URL('../../../packages/savedmodel/engine/package.json', import.meta.url);
    expect(JSON.parse(await readFile(manifest, 'utf8')).dependencies['onnxruntime-node']).toBe(ONNXRUNTIME);
  });

  test('is installed from the network, or from wheels in the archive', async () => {
    const requirements = (files: string[]): string => Buffer.from(onnx.ownHandler(files)[1]!.body).toString();
    const wheel = `code/wheels/onnxruntime-${ONNXRUNTIME}-cp312-cp312-manylinux_2_28_x86_64.whl`;
    expect(requirements(['model.onnx'])).toBe(`onnxruntime==${ONNXRUNTIME}\n`);
    expect(requirements(['model.onnx', wheel])).toBe(
      `--no-index\n--find-links wheels\nonnxruntime==${ONNXRUNTIME}\n`,
    );
    expect(onnx.ownHandler(['model.onnx', 'code/inference.py'])).toEqual([]);
    const isolated = { networkIsolation: true };
    expect(await judge(PLAIN, isolated)).toEqual([
      expect.stringContaining('set model.networkIsolation to false, or pack wheels'),
    ]);
    expect(await judge(PLAIN, { ...isolated, files: { [wheel]: 'w' } })).toEqual([]);
    for (const other of [
      'onnxruntime-1.20.0-cp312-cp312-manylinux_2_28_x86_64.whl',
      `onnxruntime-${ONNXRUNTIME}-cp313-cp313-manylinux_2_28_x86_64.whl`,
      `onnxruntime-${ONNXRUNTIME}-cp312-cp312-macosx_14_0_arm64.whl`,
    ])
      expect(await judge(PLAIN, { files: { [`code/wheels/${other}`]: 'w' } })).toEqual([
        expect.stringContaining(`where code/wheels/${other} does not fit`),
      ]);
  });

  test('is not mixed with a handler of the archive’s own', async () => {
    expect(await judge(PLAIN, { files: { 'code/inference.py': 'def input_fn(a, b): pass\n' } })).toEqual([
      expect.stringContaining('without model_fn'),
    ]);
    expect(await judge(PLAIN, { files: { 'code/requirements.txt': 'numpy\n' } })).toEqual([
      expect.stringContaining('without code/inference.py: leave it out'),
    ]);
    expect(await judge(PLAIN, { files: { 'inference.py': 'def model_fn(a): pass\n' } })).toEqual([
      expect.stringContaining('has inference.py, which no container runs: its place is code/inference.py'),
    ]);
  });
});

test('scores in an output for each class are refused before a job, and one output of all scores is not', async () => {
  const labels = within(
    5,
    text(1, 'classlabels_strings'),
    ...['cat', 'dog', 'bird'].map((name) => text(9, name)),
  );
  const classifier = node('LinearClassifier', 'ai.onnx.ml', labels);
  const STRING = 8;
  const label = value(12, 'output_label', ['batch'], STRING);
  const columns = ['scat', 'sdog', 'sbird'].map((name) => value(12, name, ['batch', 1]));
  const more = [within(8, text(1, 'ai.onnx.ml'), int(2, 1))];
  expect(await judge(model([classifier, input(), label, ...columns], { more }))).toEqual([
    'has a model.onnx that answers the score of each class in an output of its own (scat, sdog, sbird): convert it ' +
      'again with options={"zipmap": False}',
  ]);
  const whole = value(12, 'probabilities', ['batch', 3]);
  expect(await judge(model([classifier, input(), label, whole], { more }))).toEqual([]);
});
