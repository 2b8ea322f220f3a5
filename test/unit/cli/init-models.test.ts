import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { encodePng } from '../../../packages/image/encode-png.ts';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { libraryAnswers, modelOf } from '../../../packages/trees/test/support/fixtures.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { inspectModel } from '../../../src/cli/model/inspect-model.ts';
import { layoutProblems } from '../../../src/frameworks/archives.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { softmaxOnnx } from '../../support/softmax-onnx.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const CHURN = path.join(ROOT, 'examples', 'xgboost-churn');
const TREES = path.join(ROOT, 'packages', 'trees', 'test', 'fixtures');

/** What `init` and its like print, without this machine's paths. */
async function said(...args: string[]): Promise<{ code: number; text: string }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal).catch((error: unknown) => {
    terminal.note(error instanceof Error ? error.message : String(error));
    return 1;
  });
  return { code, text: terminal.lines.join('\n').replaceAll(`${ROOT}/`, '') };
}

async function init(model: string, sample: string, ...options: string[]) {
  const output = path.join(temporaryFolder('made-'), 'pipeline');
  const { code, text } = await said(
    'init',
    model,
    sample,
    '-o',
    output,
    '--name',
    'made',
    '--yes',
    ...options,
  );
  return { code, output, text: `${text.replaceAll(output, 'made')}\n` };
}

test('trees are converted, and their titles are found in a table of another order', async () => {
  const made = await init(path.join(CHURN, 'model.ubj'), path.join(CHURN, 'customers'));
  await expect(made.text).toMatchFileSnapshot('../../golden/init/xgboost.txt');
  const config = JSON.parse(readFileSync(path.join(made.output, 'pipeline.json'), 'utf8')) as unknown;
  expect(config).toMatchObject({
    model: { framework: 'onnx' },
    labels: { classes: ['stayed', 'left'], truth: { from: 'column', column: 'churned' } },
    columns: { features: { 0: 'months', 5: 'price' }, id: 'customer' },
  });
});

/** Trees as SageMaker's own algorithm leaves them. */
async function treesArchive(): Promise<string> {
  const archive = path.join(temporaryFolder('trees-'), 'model.tar.gz');
  writeFileSync(
    archive,
    await modelArchive({ 'xgboost-model': readFileSync(path.join(CHURN, 'model.ubj')) }),
  );
  return archive;
}

test('an archive with trees is refused by a plan with the command that converts it, which then does', async () => {
  const archive = await treesArchive();
  const read = await readArchive(createReadStream(archive));
  if ('reason' in read) throw new Error(read.reason);
  const needs = { framework: 'onnx', contentType: 'text/csv', networkIsolation: false } as const;
  expect(layoutProblems(read.files, needs, read)).toEqual([
    'has no model.onnx at its root; its xgboost-model is an XGBoost model: inferdrop model pack model.tar.gz -o ' +
      'model.tar.gz converts it',
  ]);
  // The archive itself may be replaced.
  expect((await said('model', 'pack', archive, '-o', archive)).text.split('\n').slice(0, 3)).toEqual([
    '  model.onnx',
    '  source/source.json',
    '  source/xgboost-model',
  ]);
  expect(await inspectModel(archive)).toMatchObject({
    framework: 'onnx',
    problems: [],
    source: { kind: 'xgboost', file: 'xgboost-model', library: 'XGBoost 3.2.0' },
  });
});

test('init opens such an archive as its file, and inspect says what becomes of the file', async () => {
  expect(await init(await treesArchive(), path.join(CHURN, 'customers'))).toMatchObject({
    code: 0,
    text: expect.stringContaining('XGBoost 3.2.0, 81 trees of 106') as string,
  });
  const { code, text } = await said('model', 'inspect', path.join(CHURN, 'model.ubj'));
  expect(code).toBe(0);
  expect(text).toContain('source   model.ubj of XGBoost 3.2.0, converted by inferdrop');
  expect(text).toContain('    note   early stopping chose round 81 of 106');
});

test('a regression is packed, and nothing judges it', async () => {
  const file = path.join(TREES, 'xgboost-early.json');
  const rows = Array.from({ length: 30 }, (_, at) => [at, 1, 2, 3, 0.5, 100 + at / 4].join(','));
  const folder = temporaryFolder('prices-');
  writeFileSync(path.join(folder, 'a.csv'), rows.join('\n'));
  const { code, text } = await init(file, folder);
  expect(text).toContain('labels                   null  it predicts numbers, as the 30 different numbers');
  expect(text).not.toContain('labels.scores');
  expect(code).toBe(0);
  expect(await init(file, folder, '--min-accuracy', '0.9')).toMatchObject({
    code: 1,
    text: expect.stringContaining('so nothing is judged: leave out --min-accuracy') as string,
  });
});

test('the example of scikit-learn is known for what it is', async () => {
  const model = path.join(ROOT, 'examples', 'scikit-learn-iris', 'model.joblib');
  const output = path.join(temporaryFolder('packed-'), 'model.tar.gz');
  expect((await said('model', 'pack', model, '-o', output)).text).toContain(
    'is scikit-learn 1.9.1: Pipeline, and',
  );
});

test.each([['damaged trees', 'xgboost-binary.json', 'is damaged']])(
  '%s is refused by its file',
  async (_, name, words) => {
    const whole = readFileSync(path.join(TREES, name));
    const file = path.join(temporaryFolder('trees-'), name);
    writeFileSync(file, words === 'is damaged' ? whole.subarray(0, whole.length / 2) : whole);
    const made = await init(file, path.join(CHURN, 'customers'));
    expect(made.code).toBe(1);
    expect(made.text).toContain(file);
    expect(made.text).toContain(words);
  },
);

const PICKLES = path.join(ROOT, 'test', 'fixtures', 'pickles');

/** A program that answers as Python would: its packages, then a model and facts. */
function programOf(name: string, model: Uint8Array, facts: object, hasPackages = true): string {
  const folder = temporaryFolder('python-');
  writeFileSync(path.join(folder, name), model);
  writeFileSync(path.join(folder, 'facts.json'), JSON.stringify(facts));
  const python = path.join(folder, 'python');
  const copy = `cp ${folder}/${name} ${folder}/facts.json "$4"`;
  const script = `#!/bin/sh\n[ "$1" = -c ] && exit ${hasPackages ? 0 : 1}\n${copy}\n`;
  writeFileSync(python, script, { mode: 0o700 });
  return python;
}

/** A Python with scikit-learn, of which a model has these answers to a row. */
function madePython(answers: readonly number[], hasPackages = true): string {
  const facts = {
    library: 'scikit-learn 1.9.1',
    step: 'converted by skl2onnx 1.20.0',
    columns: ['x', 'y', 'z'],
    classes: ['a', 'b', 'c'],
    method: 'predict_proba',
    isSample: true,
    rows: [[9, 0, 0]],
    answers: [answers],
  };
  return programOf('float32.onnx', softmaxOnnx(3), facts, hasPackages);
}

/** Softmax of 9, 0, 0. */
const ANSWERS = [Math.exp(9), 1, 1].map((one) => one / (Math.exp(9) + 2));

function titledRows(): string {
  const folder = temporaryFolder('rows-');
  const rows = Array.from({ length: 30 }, (_, at) =>
    [...['z', 'x', 'y'].map((title) => (title === 'xyz'[at % 3] ? 9 : 0)), 'abc'[at % 3]].join(','),
  );
  writeFileSync(path.join(folder, 'rows.csv'), `z,x,y,kind\n${rows.join('\n')}\n`);
  return folder;
}

test('a pickle is converted by the Python that a person names, if its answers are the same', async () => {
  const model = path.join(PICKLES, 'pipeline.joblib');
  const rows = titledRows();
  const made = await init(model, rows, '--python', madePython(ANSWERS));
  expect(made.code).toBe(0);
  await expect(made.text.replaceAll(rows, 'rows')).toMatchFileSnapshot('../../golden/init/scikit-learn.txt');
  expect((await init(model, rows, '--python', madePython([0.9, 0.05, 0.05]))).text).toMatch(
    /^the converted model answers row 1 of the sample with .*, scikit-learn 1\.9\.1 with 0\.9, .*: it was not packed/,
  );
});

test.each([
  [
    'pipeline.joblib',
    [],
    'Let .*python3? convert it, with your rights \\(yes or no\\): answer with --python PATH',
  ],
  [
    'pipeline.joblib',
    ['--python', madePython([], false)],
    'python -m pip install scikit-learn==1\\.9\\.1 skl2onnx',
  ],
  [
    'pipeline.joblib',
    ['--python', '/no/such/python'],
    'is not there: it needs scikit-learn==1\\.9\\.1 and skl2onnx',
  ],
  ['strange.pkl', [], 'would import posix\\.system, which no model needs: it was not loaded'],
  ['xgboost.joblib', [], 'is a pickled xgboost\\.sklearn\\.XGBClassifier\\. .* Let .*python3? convert it'],
])('%s with %j is not run', async (name, options, words) => {
  expect(await init(path.join(PICKLES, name), titledRows(), ...options)).toMatchObject({
    code: 1,
    text: expect.stringMatching(words) as string,
  });
});

/** A Python with XGBoost, which saves a booster and answers as it does, but for a number that is added. */
function boostedPython(off = 0): string {
  const { rows, answers } = libraryAnswers('xgboost-binary.json');
  const facts = {
    library: 'XGBoost 3.2.0',
    step: 'saved by XGBoost 3.2.0, converted here',
    columns: [],
    classes: ['stayed', 'left'],
    method: 'predict',
    isSample: false,
    rows,
    answers: answers.map(([yes = NaN]) => [yes + off]),
  };
  return programOf('model.json', modelOf('xgboost-binary.json'), facts);
}

async function packed(model: string, ...options: string[]): Promise<{ text: string; archive: string }> {
  const archive = path.join(temporaryFolder('packed-'), 'model.tar.gz');
  return { archive, text: (await said('model', 'pack', model, '-o', archive, ...options)).text };
}

test('a pickle of trees is saved by its own Python, converted here, and answers as its library', async () => {
  const model = path.join(PICKLES, 'xgboost.joblib');
  const { archive } = await packed(model, '--python', boostedPython());
  expect(await inspectModel(archive)).toMatchObject({
    framework: 'onnx',
    problems: [],
    source: {
      kind: 'pickle',
      file: 'xgboost.joblib',
      library: 'XGBoost 3.2.0',
      notes: [
        'categories are the codes that it was trained on',
        expect.stringMatching(
          /^saved by XGBoost 3\.2\.0, converted here; largest difference to predict on \d+ rows that were drawn: \de-\d$/,
        ) as string,
      ],
    },
  });
  expect((await packed(model, '--python', boostedPython(2e-5))).text).toMatch(
    /^the converted model answers row \d+ of drawn numbers with .*, XGBoost 3\.2\.0 with .*: it was not packed/,
  );
});

test('an archive with a pickle is converted likewise, and messages name it', async () => {
  const archive = path.join(temporaryFolder('trees-'), 'model.tar.gz');
  const pickled = readFileSync(path.join(PICKLES, 'xgboost.joblib'));
  writeFileSync(archive, await modelArchive({ 'xgboost-model': pickled, '.venv/bin/python': 'exit 1' }));
  expect((await packed(archive)).text).toMatch(
    /^xgboost-model of .*model\.tar\.gz is a pickled .*: give it with --python PATH; it needs xgboost and scikit-learn/,
  );
  expect((await packed(archive, '--python', boostedPython())).text).toContain('source/xgboost-model');
});

test.each([
  ['zlib', deflateSync],
  ['gzip', gzipSync],
])('a pickle that joblib compressed with %s is looked at as well', async (name, compress) => {
  const file = path.join(temporaryFolder('packed-'), 'model.joblib');
  const bytes = compress(readFileSync(path.join(PICKLES, 'strange.pkl')));
  writeFileSync(file, bytes);
  expect((await packed(file)).text).toContain('would import posix.system, which no model needs');
  const whole = compress(readFileSync(path.join(PICKLES, 'pipeline.joblib')));
  writeFileSync(file, whole);
  expect((await packed(file, '--python', madePython(ANSWERS))).text).toContain('source/model.joblib');
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  expect((await packed(file)).text).toBe(`${file} can't be unpacked to its end: take the whole file`);
});

test.each([
  ['xz', Buffer.from('\u00fd7zXZ\0\0', 'latin1')],
  ['LZMA', Buffer.from(`]\0\0@\0${'\u00ff'.repeat(8)}\0`, 'latin1')],
  ['bzip2', Buffer.from('BZh91AY&SY')],
])('one that was compressed with %s is refused with what is read', async (name, bytes) => {
  const file = path.join(temporaryFolder('packed-'), 'model.joblib');
  writeFileSync(file, bytes);
  expect((await packed(file)).text).toMatch(
    new RegExp(
      `is compressed with ${name}: what is in it is not looked at, .* joblib\\.dump\\(model, FILE, compress=3\\)`,
    ),
  );
});

/** A folder of Hugging Face whose weights nobody reads. */
function hubFolder(changes: object = {}): string {
  const folder = temporaryFolder('hub-');
  const config = { architectures: ['ViTForImageClassification'], model_type: 'vit', ...changes };
  const preprocessor = {
    do_resize: true,
    size: { height: 2, width: 2 },
    resample: 3,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: false,
    image_mean: 0.5,
    image_std: 0.5,
  };
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'preprocessor_config.json'), JSON.stringify(preprocessor));
  writeFileSync(path.join(folder, 'model.safetensors'), 'weights');
  return folder;
}

test('a folder of Hugging Face becomes ONNX with its preprocessing, if it answers images alike', async () => {
  const image = path.join(temporaryFolder('images-'), 'a.png');
  writeFileSync(image, encodePng({ width: 2, height: 2, channels: 3, data: new Uint8Array(12).fill(255) }));
  const python = (answers: readonly number[]): string => {
    const facts = {
      library: 'transformers 5.24.0',
      step: 'converted by PyTorch 2.13.0',
      columns: [],
      classes: [],
      method: 'the model',
      isSample: true,
      rows: [image],
      answers: [answers],
    };
    return programOf('model.onnx', softmaxOnnx(12, [3, 2, 2]), facts);
  };
  const folder = hubFolder();
  const { archive } = await packed(folder, '--python', python(Array<number>(12).fill(1 / 12)));
  expect(await inspectModel(archive)).toMatchObject({
    framework: 'onnx',
    source: {
      kind: 'huggingface',
      file: 'config.json',
      library: 'transformers 5.24.0',
      notes: [
        expect.stringContaining('largest difference to the model on 1 image of the sample: ') as string,
        expect.stringContaining('"resize":"stretch","resample":"bicubic"') as string,
        expect.stringContaining('model.safetensors is not kept') as string,
      ],
    },
  });
  expect((await packed(folder, '--python', python([1, ...Array<number>(11).fill(0)]))).text).toContain(
    `the converted model answers ${image} with`,
  );
  expect((await packed(hubFolder({ architectures: ['BertForMaskedLM'] }))).text).toContain(
    'is a Hugging Face BertForMaskedLM, and only image classifiers are converted',
  );
});

/** A file of Keras, of which only the beginning is looked at here. */
function kerasFile(text = 'model_config'): string {
  const file = path.join(temporaryFolder('keras-'), 'net.h5');
  writeFileSync(file, Buffer.from(`\u0089HDF\r\n\u001a\n${text}`, 'latin1'));
  return file;
}

test('a file of Keras is exported by its own Python, and kept', async () => {
  vi.stubEnv('INFERDROP_CACHE', temporaryFolder('cache-'));
  const saved = path.join(ROOT, 'packages', 'savedmodel', 'test', 'fixtures', 'loop_variables');
  const python = path.join(temporaryFolder('python-'), 'python');
  const facts =
    '{"library": "Keras 3.15.1", "note": "exported by TensorFlow 2.21.0", "python": "python", "scaling": []}';
  const script = `#!/bin/sh\n[ "$1" = -c ] && exit 0\ncp -r ${saved} "$4/1"\necho '${facts}' > "$4/facts.json"\n`;
  writeFileSync(python, script, { mode: 0o700 });
  const { archive } = await packed(kerasFile(), '--python', python);
  expect(await inspectModel(archive)).toMatchObject({
    framework: 'tensorflow',
    problems: [],
    source: {
      kind: 'hdf5',
      file: 'net.h5',
      library: 'Keras 3.15.1',
      notes: ['exported by TensorFlow 2.21.0'],
    },
  });
  expect((await packed(kerasFile())).text).toMatch(
    /net\.h5 is a Keras model, and is converted by the Python that made it: give it with --python PATH; it needs tensorflow/,
  );
  expect((await packed(kerasFile('model_config {"class_name": "Lambda"}'))).text).toMatch(
    /net\.h5 would run the code that its Lambda layer holds: it was not loaded/,
  );
  expect((await packed(kerasFile('only weights'), '--python', python)).text).toMatch(
    /net\.h5 holds no network, at most its weights: build the network, call load_weights, and write model\.save/,
  );
  vi.unstubAllEnvs();
});
