import { cpSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { type GivenModel, packModel } from '../../../src/cli/model/enter-model.ts';
import { inspectModel } from '../../../src/cli/model/inspect-model.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FIXTURES = path.join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'packages',
  'savedmodel',
  'test',
  'fixtures',
);
type Given = Pick<GivenModel, 'model'> & Partial<GivenModel>;
const HANDLER = 'def handler(data, context):\n    return data.read(), "text/plain"\n';

function folder(files: Record<string, string | Buffer>): string {
  const dir = temporaryFolder('pack-');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

function pack(given: Given): { output: string; packed: Promise<readonly string[]> } {
  const output = path.join(temporaryFolder('packed-'), 'model.tar.gz');
  return {
    output,
    packed: packModel({ code: undefined, ...given, output }),
  };
}

test('a SavedModel and its code become the layout of the container; the same input gives the same bytes', async () => {
  const savedModel = path.join(FIXTURES, 'loop_variables');
  const code = folder({
    'inference.py': HANDLER,
    'labels.txt': 'a',
    '__pycache__/x.pyc': '',
    'lib/y.py': '',
  });
  const first = pack({ model: savedModel, code });
  expect(await first.packed).toEqual([
    '1/saved_model.pb',
    '1/variables/variables.data-00000-of-00001',
    '1/variables/variables.index',
    'code/inference.py',
    'code/labels.txt',
    'code/lib/y.py',
  ]);
  const copy = temporaryFolder('copy-');
  cpSync(savedModel, copy, { recursive: true });
  utimesSync(path.join(copy, 'saved_model.pb'), 1, 1);
  const second = pack({ model: copy, code });
  await second.packed;
  expect(readFileSync(second.output).equals(readFileSync(first.output))).toBe(true);

  const archive = await inspectModel(first.output);
  expect(archive).toMatchObject({
    files: 6,
    framework: 'tensorflow',
    handler: { script: 'code/inference.py', hasLib: true },
    problems: [],
  });
});

test('packages that a container would install are named with the setting they need', async () => {
  const code = folder({ 'inference.py': HANDLER, 'requirements.txt': 'pillow\n' });
  const { output, packed } = pack({ model: path.join(FIXTURES, 'loop_frozen'), code });
  await packed;
  const { runs, problems } = await inspectModel(output);
  expect(runs.join('\n')).toMatch(
    /a run is refused: the archive has code\/requirements.txt.*set model.networkIsolation to false/,
  );
  expect(problems).toEqual([]);
});

test('a damaged model is packed, and the remedy is named', async () => {
  const { output, packed } = pack({ model: path.join(FIXTURES, 'refused', 'unrestored') });
  await packed;
  const terminal = silentTerminal();
  const savedModel = path.join(FIXTURES, 'refused', 'unrestored');
  const code = await runCommandLine(['model', 'pack', savedModel, '-o', output], terminal);
  expect(code).toBe(1);
  expect(terminal.lines.join('\n')).toMatch(
    /^Variable .* is not restored by the graph.*model\.export\(folder\)/m,
  );
});

test('folders named by versions keep them', async () => {
  const dir = temporaryFolder('versions-');
  for (const version of ['3', '12'])
    cpSync(path.join(FIXTURES, 'loop_frozen'), path.join(dir, version), { recursive: true });
  const { output, packed } = pack({ model: dir });
  await packed;
  expect((await inspectModel(output)).models.map(({ version }) => version)).toEqual([12, 3]);
});

const TORCH_CODE = { 'inference.py': 'def model_fn(model_dir): ...\n' };

/** A `.pt` file as PyTorch writes it, as far as its kind goes. */
async function torchFile(names: readonly string[]): Promise<string> {
  const zip = new ZipFile();
  for (const name of names) zip.addBuffer(Buffer.from('x'), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  const file = path.join(temporaryFolder('torch-'), 'model.pth');
  writeFileSync(file, Buffer.concat(chunks));
  return file;
}

test('PyTorch: weights with their model_fn, or TorchScript alone', async () => {
  const weights = await torchFile(['archive/data.pkl', 'archive/data/0']);
  const { output, packed } = pack({ model: weights, code: folder(TORCH_CODE) });
  expect(await packed).toEqual(['code/inference.py', 'model.pth']);
  expect(await inspectModel(output)).toMatchObject({ framework: 'pytorch', problems: [] });
  expect(await pack({ model: await torchFile(['m/constants.pkl']) }).packed).toEqual(['model.pt']);
  await expect(pack({ model: weights }).packed).rejects.toThrow(
    /is a PyTorch file without TorchScript, such as a state dict.*: add --code with an inference\.py and a model_fn that/,
  );
});

test.each<[string, () => Promise<Given> | Given, string]>([
  [
    'no SavedModel',
    () => ({ model: folder({ 'model.h5': Buffer.from('894844460d0a1a0a', 'hex') }) }),
    'its model.h5 is an HDF5 file, as Keras or pandas writes it: inferdrop model pack FILE --python PYTHON',
  ],
  [
    'a Keras file',
    async () => ({ model: await torchFile(['metadata.json', 'config.json', 'model.weights.h5']) }),
    'is a Keras model, and is converted by the Python that made it: give it with --python PATH',
  ],
  [
    'no model at all',
    () => ({ model: folder({ 'readme.md': '' }) }),
    'has no saved_model.pb: give the folder of a SavedModel, as model.export(folder)',
  ],
  ['no folder', () => ({ model: '/no/such' }), '/no/such does not exist'],
  [
    'code without script',
    () => ({ model: path.join(FIXTURES, 'loop_frozen'), code: folder({ x: '' }) }),
    'has no inference.py',
  ],
  [
    'a script without handlers',
    () => ({
      model: path.join(FIXTURES, 'loop_frozen'),
      code: folder({ 'inference.py': 'def input_handler(): ...' }),
    }),
    'must define handler, or input_handler and output_handler',
  ],
  [
    'an empty file, whatever a handler loads',
    async () => ({ model: path.join(folder({ 'm.bin': '' }), 'm.bin'), code: folder(TORCH_CODE) }),
    'is empty: take the whole file',
  ],
  [
    'both kinds of functions',
    async () => ({
      model: await torchFile(['m/constants.pkl']),
      code: folder({ 'inference.py': 'def transform_fn(): ...\ndef predict_fn(): ...' }),
    }),
    'defines transform_fn and predict_fn',
  ],
])('%s is refused with the remedy', async (_name, make, reason) => {
  await expect(pack(await make()).packed).rejects.toThrow(reason);
});

test('a script that Python cannot compile is named before any upload, also where another one imports it', async () => {
  const savedModel = path.join(FIXTURES, 'loop_frozen');
  const code = folder({
    'inference.py': `import images\nfrom json import dumps\n${HANDLER}`,
    'images.py': 'def decode(data):\nreturn data\n',
    'unused.py': 'this is no Python',
  });
  const { output, packed } = pack({ model: savedModel, code });
  await packed;
  expect((await inspectModel(output)).problems).toEqual([
    'has a code/images.py that Python cannot compile, so that every job would fail: ' +
      'line 2: IndentationError: expected an indented block after function definition on line 1: return data',
  ]);
});

test('inspect says where a script fails on AWS, where it cannot run here, and where it goes another way', async () => {
  const savedModel = path.join(FIXTURES, 'loop_frozen');
  const inspect = async (script: string) => {
    const { output, packed } = pack({
      model: savedModel,
      code: folder({ 'inference.py': script + HANDLER }),
    });
    await packed;
    const { problems, runs } = await inspectModel(output);
    return { problems, runs: runs.filter((one) => one.startsWith('handler: ')) };
  };
  expect(await inspect('import numpy, platform\nplatform.machine()\nt"{1}"\n')).toEqual({
    problems: [
      'has a script that fails: code/inference.py, line 3: Python 3.12 of the image does not know "t"{1}"" (since ' +
        '3.14), so that AWS fails on it',
    ],
    runs: [
      "handler: not in Pyodide: code/inference.py, line 1, imports numpy, which is not in Python's standard library: " +
        'start with --handlers python; it then runs as you, or pack it into code/lib if it is Python alone',
      'handler: code/inference.py, line 2, reads platform.machine(), which is wasm32 here',
    ],
  });
  expect(await inspect('')).toEqual({
    problems: [],
    runs: ['handler: in Pyodide, which cannot reach your files and programs; no Python needed'],
  });
});

test('links are refused: the container would find nothing there', async () => {
  const code = folder({ 'inference.py': HANDLER });
  symlinkSync('/etc/hostname', path.join(code, 'link'));
  await expect(pack({ model: path.join(FIXTURES, 'loop_frozen'), code }).packed).rejects.toThrow('is a link');
});

test('inspect reads the folder of a SavedModel as its archive, and says what another folder holds', async () => {
  const savedModel = path.join(FIXTURES, 'loop_frozen');
  expect(await inspectModel(savedModel)).toMatchObject({
    file: savedModel,
    framework: 'tensorflow',
    problems: [],
    models: [{ version: 1 }],
  });
  const other = folder({
    'config.json': '{"architectures":["BertForSequenceClassification"]}',
    'model.safetensors': Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{"a":1}')]),
  });
  await expect(inspectModel(other)).rejects.toThrow(
    /has no saved_model\.pb; its model\.safetensors is weights in safetensors.*model_fn/,
  );
});

test('what is no archive is refused', async () => {
  const file = path.join(folder({ 'model.tar.gz': 'PK' }), 'model.tar.gz');
  await expect(inspectModel(file)).rejects.toThrow('is text, and no model: give');
});

test('inspect promises nothing of an archive without a model that can be served', async () => {
  const file = path.join(folder({}), 'model.tar.gz');
  writeFileSync(file, await modelArchive({ 'model.keras': 'PK' }));
  const terminal = silentTerminal();
  expect(await runCommandLine(['model', 'inspect', file], terminal)).toBe(1);
  const text = terminal.lines.join('\n');
  expect(text).toContain('runs     model: none that can be served');
  expect(text).not.toContain('onnxruntime');
  expect(text).toContain('model.export');
  writeFileSync(file, await modelArchive({ 'model.onnx': Buffer.from('\u0008\u0009\u0012\u0007pytorch') }));
  expect((await inspectModel(file)).problems).toEqual([
    expect.stringContaining('has a model.onnx that is not read, because it has no graph'),
  ]);
});

test('inspect says which model, version and signature answer, and where misplaced code belongs', async () => {
  const pb = readFileSync(path.join(FIXTURES, 'loop_frozen', 'saved_model.pb'));
  const linesOf = async (files: Parameters<typeof modelArchive>[0]): Promise<readonly string[]> => {
    const file = path.join(folder({ 'm.tar.gz': await modelArchive(files) }), 'm.tar.gz');
    const terminal = silentTerminal();
    await runCommandLine(['model', 'inspect', file], terminal);
    return terminal.lines;
  };
  const versions = await linesOf({ 'm/3/saved_model.pb': pb, 'm/12/saved_model.pb': pb });
  expect(versions).toContain('served   model m, version 12, signature serving_default');
  const two = await linesOf({
    'a/1/saved_model.pb': pb,
    'b/1/saved_model.pb': pb,
    'a/code/inference.py': HANDLER,
  });
  expect(two).toContain('served   one of the models a, b');
  expect(two).toContain(
    'problem  the archive has a/code/inference.py, which no container reads: move it to code/inference.py',
  );
  expect(two.some((line) => line.includes('set SAGEMAKER_TFS_DEFAULT_MODEL_NAME'))).toBe(true);
});
