import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import type { FileKind } from '../../../src/file-kind/file-kind.ts';
import { layoutProblems } from '../../../src/frameworks/archives.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { pieces } from '../../support/pieces.ts';

test('digest, size and names are found however the archive is cut', async () => {
  const archive = await modelArchive({
    './1/saved_model.pb': 'graph',
    'code/inference.py': 'x'.repeat(100_000),
  });
  const sha256 = createHash('sha256').update(archive).digest('hex');
  for (const size of [1, 7, 1000, archive.length]) {
    await expect(readArchive(pieces(archive, size))).resolves.toEqual({
      sha256,
      sizeBytes: archive.length,
      files: ['1/saved_model.pb', 'code/inference.py'],
      signatures: new Map(),
      scripts: new Map([['code/inference.py', 'x'.repeat(100_000)]]),
      kinds: new Map(),
      modes: new Map(),
      onnx: null,
    });
  }
});

test('gzip members of one tar are read as one archive, and archives that were joined are refused', async () => {
  const [one, other] = [await modelArchive({ 'model.pth': 'x' }), await modelArchive({ 'code/a.py': 'y' })];
  const tar = gunzipSync(one);
  const cut = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
  for (const size of [1, 100, cut.length])
    await expect(readArchive(pieces(cut, size))).resolves.toMatchObject({ files: ['model.pth'] });
  await expect(readArchive(pieces(Buffer.concat([one, other]), 100))).resolves.toEqual({
    reason: expect.stringContaining('SageMaker reads only the first: make one with tar czf'),
  });
});

test('only a leading ./ is left out of a name', async () => {
  const archive = await modelArchive({ './././model.pth': 'x', 'a./b.py': 'y' });
  await expect(readArchive(pieces(archive, 100))).resolves.toMatchObject({ files: ['model.pth', 'a./b.py'] });
});

test.each([
  ['nothing', Buffer.alloc(0), 'is an empty object'],
  [
    'a zip',
    Buffer.from('PK\u0003\u0004…'),
    'is a ZIP archive, and no model: SageMaker takes a gzip-compressed tar',
  ],
  ['text', Buffer.from('hello'), 'is text, and no model'],
  ['an old compress file', Buffer.from([0x1f, 0x9d, 0x90, 0]), 'is of no known kind'],
  ['bytes that only look like gzip’s', Buffer.from([0, 0x8b, 8, 0]), 'is of no known kind'],
  [
    'an archive that was compressed twice',
    gzipSync(gzipSync('tar'.repeat(1000))),
    'is compressed twice: undo one',
  ],
  ['gzip of text', gzipSync('hello '.repeat(1000)), 'cannot be read as a gzip-compressed tar archive'],
  ['gzip of nothing', gzipSync(''), 'without any file'],
])('%s is distinguished from an archive', async (_name, bytes, reason) => {
  await expect(readArchive(pieces(bytes, 1000))).resolves.toEqual({
    reason: expect.stringContaining(reason),
  });
});

test('an archive in a tar is recognized, and not looked into', async () => {
  const inner = await modelArchive({ '1/saved_model.pb': 'graph' });
  const read = await readArchive(pieces(await modelArchive({ 'out/model.tar.gz': inner }), 1000));
  if ('reason' in read) throw new Error(read.reason);
  expect(layoutProblems(read.files, json, read)).toEqual([
    'has no saved_model.pb; its out/model.tar.gz is compressed with gzip: no container looks into it, so unpack it, ' +
      'and pack its files at the root (tar czf model.tar.gz -C FOLDER .)',
  ]);
});

test('a connection that breaks is no fault of the archive', async () => {
  const archive = await modelArchive({ '1/saved_model.pb': 'graph'.repeat(5000) });
  async function* breaking(): AsyncGenerator<Uint8Array> {
    yield archive.subarray(0, 100);
    throw Object.assign(new Error('socket hang up'), { name: 'ECONNRESET' });
  }
  await expect(readArchive(breaking())).rejects.toMatchObject({ name: 'ECONNRESET' });
});

test('a truncated or damaged archive is refused and never hangs', async () => {
  const archive = await modelArchive({
    '1/saved_model.pb': 'graph'.repeat(5000),
    'code/inference.py': 'x'.repeat(5000),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(archive.length - 1), fc.boolean(), async (at, cut) => {
      const bytes = cut ? archive.subarray(0, at) : Buffer.from(archive);
      if (!cut) bytes[at] = bytes[at]! ^ 0x55;
      const read = await readArchive(pieces(bytes, 4096));
      expect('reason' in read || read.files.length > 0).toBe(true);
      if (cut) expect(read).toHaveProperty('reason');
    }),
    { numRuns: 60 },
  );
});

test('an archive that was cut or damaged is refused with what to do about it', async () => {
  const archive = await modelArchive({ '1/saved_model.pb': 'graph'.repeat(5000) });
  const damaged = Buffer.from(archive);
  damaged[archive.length - 5]! ^= 0x55;
  const cutTar = gzipSync(gunzipSync(archive).subarray(0, 5000));
  for (const [bytes, fault] of [
    [archive.subarray(0, -20), 'unexpected end of file'],
    [damaged, 'incorrect'],
    [cutTar, 'it stops within "1/saved_model.pb"'],
  ] as const) {
    const { reason } = (await readArchive(pieces(bytes, 4096))) as { reason: string };
    expect(reason).toContain(`cannot be read as a gzip-compressed tar archive: ${fault}`);
    expect(reason).toMatch(
      /where gzip -t model\.tar\.gz finds no fault in yours, upload it again, else make it again/,
    );
  }
});

const image = {
  framework: 'tensorflow',
  contentType: 'application/x-image',
  networkIsolation: true,
} as const;
const json = {
  framework: 'tensorflow',
  contentType: 'application/json; charset=utf-8',
  networkIsolation: true,
} as const;
const torch = { framework: 'pytorch', contentType: 'application/json', networkIsolation: true } as const;

test.each([
  [['1/saved_model.pb', 'code/inference.py'], image],
  [['export/mnist/0000123/saved_model.pb', 'code/inference.py'], image],
  [['1/saved_model.pb'], json],
  [['model.pt'], torch],
  [['code/inference.py', 'weights.bin'], torch],
  [['1/saved_model.pb', 'code/inference.py', 'code/requirements.txt'], { ...image, networkIsolation: false }],
  [['1/saved_model.pb', 'code/inference.py', 'code/requirements.txt', 'code/lib/PIL/Image.py'], image],
])('%j is served', (files, needs) => {
  expect(layoutProblems(files, needs)).toEqual([]);
});

test.each([
  [['saved_model.pb', 'code/inference.py'], image, 'move it to 1/saved_model.pb'],
  [['v1/saved_model.pb', 'code/inference.py'], image, 'move it to 1/saved_model.pb'],
  [['model.keras', 'code/inference.py'], image, 'has no saved_model.pb'],
  [['1/saved_model.pb', 'src/code/inference.py'], image, 'has no code/inference.py'],
  [['1/saved_model.pb'], image, 'answers 415 to transform.contentType "application/x-image"'],
  [['/etc/passwd'], json, 'leaves the archive'],
  [['model/model.pth'], torch, 'without a wrapping folder'],
  [['README'], torch, 'nothing to serve'],
  [['1/saved_model.pb', 'code/inference.py', 'code/requirements.txt'], image, 'pack them into code/lib/'],
  [['model.pt', 'code/requirements.txt'], torch, 'set model.networkIsolation to false'],
])('%j is not: %s', (files, needs, problem) => {
  expect(layoutProblems(files, needs).join()).toContain(problem);
});

const contents = (script: string | undefined, kinds: Readonly<Record<string, FileKind>> = {}) => ({
  scripts: new Map(script === undefined ? [] : [['code/inference.py', script]]),
  kinds: new Map(Object.entries(kinds)),
});
const SCRIPT = 'code/inference.py';
const STATE = { 'model.pt': 'torch-state' } as const;
const SCRIPTED = { 'model.pth': 'torchscript' } as const;

test.each([
  [['1/saved_model.pb', SCRIPT], image, contents('def handler(data, context): ...')],
  [['1/saved_model.pb', SCRIPT], image, contents('from own import *')],
  [
    ['1/saved_model.pb', SCRIPT],
    image,
    contents('from own import (\n    input_handler,\n    output_handler\n)'),
  ],
  [['1/saved_model.pb', SCRIPT], image, contents('input_handler, output_handler = make()')],
  [['1/saved_model.pb', SCRIPT], image, contents('import own\nglobals().update(vars(own))')],
  [['model.pt'], torch, contents(undefined, { 'model.pt': 'torchscript' })],
  [['model.pth', SCRIPT], torch, contents('def model_fn(model_dir): ...', { 'model.pth': 'torch-state' })],
  [['model.onnx', SCRIPT], torch, contents('from own import model_fn', { 'model.onnx': 'onnx' })],
] as const)('%j with its contents is served', (files, needs, found) => {
  expect(layoutProblems(files, needs, found)).toEqual([]);
});

test.each([
  [
    ['1/saved_model.pb', SCRIPT],
    image,
    contents('def imput_handler(): ...'),
    'without input_handler and output_handler',
  ],
  [
    ['1/saved_model.pb', SCRIPT],
    image,
    contents('def input_handler(): ...'),
    'without output_handler: the container takes',
  ],
  [
    ['model.keras'],
    json,
    contents(undefined, { 'model.keras': 'keras' }),
    'its model.keras is a Keras model: inferdrop model pack FILE --python',
  ],
  [
    ['model.pt'],
    json,
    contents(undefined, { 'model.pt': 'torchscript' }),
    'set model.framework to "pytorch"',
  ],
  [
    ['m.safetensors'],
    torch,
    contents(undefined, { 'm.safetensors': 'safetensors' }),
    'its m.safetensors is weights',
  ],
  [['model.pt'], torch, contents(undefined, STATE), 'its model.pt is a PyTorch file without TorchScript'],
  [['model.pt', SCRIPT], torch, contents('def predict_fn(x, m): ...', STATE), 'or write torch.jit.script'],
  [['model.pth'], torch, contents(undefined, SCRIPTED), 'rename model.pth to model.pt, or add model_fn'],
  [['model.pt'], { ...torch, contentType: 'application/x-image' }, contents(undefined), 'has no input_fn'],
  [[SCRIPT], torch, contents('x = 1'), 'loads model.pt at the root, which is missing: add it'],
] as const)('%j with its contents is not: %o', (files, needs, found, problem) => {
  expect(layoutProblems(files, needs, found)).toEqual([expect.stringContaining(problem)]);
});

test('kinds of files and texts of scripts are read out of an archive', async () => {
  const state = await zip(['m/data.pkl', 'm/data/0', 'm/version']);
  const archive = await modelArchive({
    'model.onnx': Buffer.from('\u0008\u0008\u0012\u0007pytorch'),
    'large.pth': Buffer.concat([state.subarray(0, 40), Buffer.alloc(3_000_000), state.subarray(40)]),
    'nested/model.pt': await zip(['m/data.pkl', 'm/code/m.py', 'm/constants.pkl']),
    'model.keras': await zip(['metadata.json', 'config.json', 'model.weights.h5']),
    'model.pt2': await zip(['m/archive_format', 'm/models/model.json']),
    'weights.h5': Buffer.from('894844460d0a1a0a00', 'hex'),
    'w.safetensors': Buffer.from([64, 0, 0, 0, 0, 0, 0, 0, ...Buffer.from('{"a":{}}')]),
    'model.joblib': Buffer.from([0x80, 4, 0x95, 0]),
    'model.json': '{"learner":{"attributes":{}}}',
    'saved/1/saved_model.pb': Buffer.from([8, 1, 0x12, 0]),
    'notes.txt': 'tree of life',
    'code/a.py': 'x = 1',
  });
  for (const size of [1000, archive.length]) {
    const read = await readArchive(pieces(archive, size));
    if ('reason' in read) throw new Error(read.reason);
    expect(Object.fromEntries(read.kinds)).toEqual({
      'model.onnx': 'onnx',
      'large.pth': 'torch-state',
      'nested/model.pt': 'torchscript',
      'model.keras': 'keras',
      'model.pt2': 'torch-export',
      'weights.h5': 'hdf5',
      'w.safetensors': 'safetensors',
      'model.joblib': 'pickle',
      'model.json': 'xgboost',
    });
    expect(read.scripts).toEqual(new Map([['code/a.py', 'x = 1']]));
  }
});

test('a model file in place of an archive is named, and is not to be packed as it is', async () => {
  const keras = await zip(['metadata.json', 'config.json', 'model.weights.h5']);
  await expect(readArchive(pieces(keras, 1000))).resolves.toEqual({
    reason: expect.stringMatching(
      /^is a Keras model, not a model\.tar\.gz: inferdrop model pack FILE --python PYTHON/,
    ),
  });
});

async function zip(names: readonly string[]): Promise<Buffer> {
  const file = new ZipFile();
  for (const name of names) file.addBuffer(Buffer.from('x'), name);
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
