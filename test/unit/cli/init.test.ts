import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test, vi } from 'vitest';
import { unpackModelArchive } from '@inferdrop/model-container/internal/model-archive';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { packModel } from '../../../src/cli/model/enter-model.ts';
import { Refusal } from '../../../src/cli/refusal.ts';
import { parsePipelineConfig } from '../../../src/pipeline/parse-config.ts';
import { isCondition } from '../../../src/problem/conditions.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { softmaxOnnx } from '../../support/softmax-onnx.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const FIXTURES = path.join(ROOT, 'packages', 'savedmodel', 'test', 'fixtures');
const EXAMPLE = path.join(ROOT, 'examples', 'fashion-mnist');

/** A folder below a new one, with these files. */
function folder(files: Record<string, string>, name = 'files'): string {
  const dir = path.join(temporaryFolder('init-'), name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, file)), { recursive: true });
    writeFileSync(path.join(dir, file), text);
  }
  return dir;
}

async function init(...args: string[]) {
  const output = path.join(temporaryFolder('made-'), 'pipeline');
  return initInto(output, ...args);
}

async function initInto(output: string, ...args: string[]) {
  const terminal = silentTerminal();
  const code = await runCommandLine(['init', ...args, '--output', output, '--name', 'made'], terminal).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal || isCondition(error, 'LabelFileUnreadable'))) throw error;
      terminal.note(error.message);
      return 1;
    },
  );
  const written = code === 0 ? readFileSync(path.join(output, 'pipeline.json'), 'utf8') : '{}';
  if (code === 0) expect(parsePipelineConfig(written)).toHaveProperty('value');
  return {
    code,
    output,
    config: JSON.parse(written) as Record<string, unknown>,
    text: terminal.lines.join('\n'),
  };
}

test('the order of the classes and their place in the names are found by what the model answers', async () => {
  const made = await init(path.join(EXAMPLE, 'model.tar.gz'), path.join(EXAMPLE, 'images'), '--yes');
  const { labels } = JSON.parse(readFileSync(path.join(EXAMPLE, 'pipeline.json'), 'utf8')) as {
    labels: { classes: string[] };
  };
  expect(made.text).toContain('119 of 120 labeled inputs of 10 classes are right');
  expect(made.config).toMatchObject({
    model: { framework: 'tensorflow' },
    transform: { contentType: 'application/x-image' },
    labels: { classes: labels.classes, truth: { from: 'key' } },
  });
  expect(readdirSync(made.output).sort()).toEqual(['model.tar.gz', 'pipeline.json', 'pipeline.schema.json']);
});

/** Images of the example without their class in the name, and these files beside them. */
function images(names: Record<string, string>): string {
  const dir = folder(names);
  const from = path.join(EXAMPLE, 'images');
  for (const [at, file] of readdirSync(from).slice(0, 40).entries())
    copyFileSync(path.join(from, file), path.join(dir, `${at}.png`));
  return dir;
}

test('labels.csv beside images gives classes, and their order is measured by it', async () => {
  const rows = readdirSync(path.join(EXAMPLE, 'images'))
    .slice(0, 40)
    .map((file, at) => `${at}.png,${/_(.+)\.png$/.exec(file)![1]}`);
  const labeled = images({ 'labels.csv': ['filename,label', ...rows].join('\n') });
  const made = await init(path.join(EXAMPLE, 'model.tar.gz'), labeled, '--yes');
  expect(made.config).toMatchObject({
    labels: {
      classes: { 0: 't-shirt', 9: 'ankle-boot' },
      truth: { from: 'file', path: 'labels.csv' },
      numbers: 'names',
    },
  });
  expect(made.text).toContain('labels.csv lies next to the files: 40 of 40 files, 10 classes');
});

test('labels that are places in the classes are read so as the answers show, and labels.numbers says it', async () => {
  const names = readFileSync(path.join(EXAMPLE, 'images', '..', 'pipeline.json'), 'utf8');
  const { classes } = (JSON.parse(names) as { labels: { classes: string[] } }).labels;
  const places = readdirSync(path.join(EXAMPLE, 'images'))
    .slice(0, 40)
    .map((file, at) => `${at},${classes.indexOf(/_(.+)\.png$/.exec(file)![1]!) + 1}.0`);
  const labeled = images({ 'labels.csv': ['id,class', ...places].join('\n') });
  const made = await init(
    path.join(EXAMPLE, 'model.tar.gz'),
    labeled,
    '--yes',
    '--classes',
    classes.join(','),
  );
  expect(made.config).toMatchObject({ labels: { classes, numbers: 'index-from-1' } });
  expect(made.text).toMatch(
    /labels\.numbers .*as the model's answers show: \d+ of 40 labeled inputs are right with it/,
  );
});

test.each([
  [
    { 'labels.csv': 'id,label\nx0,bag\n' },
    'names no file of the folder: its first key is "x0", and a file is "0.png"',
  ],
  [
    { 'labels.csv': 'filename;label;class\n0.png;bag;coat\n' },
    'labels.csv: has 2 columns of labels, "label" and "class"',
  ],
  [
    { 'README.md': 'of a friend' },
    'holds images and README.md, which is no PNG, JPEG, GIF, WebP or BMP: every',
  ],
  [{ 'cut.png': '' }, 'holds images and cut.png, which is empty: every'],
])('what lies beside images and cannot be used is named: %j', async (beside, said) => {
  const made = await init(path.join(EXAMPLE, 'model.tar.gz'), images(beside), '--yes');
  expect(made).toMatchObject({ code: 1, text: expect.stringContaining(said) as string });
});

test('tars are inputs of a drop, and are left out of the files that are looked at', async () => {
  const beside = await init(
    path.join(EXAMPLE, 'model.tar.gz'),
    images({ 'more.tar': 'a tar' }),
    '--yes',
    '--classes',
    '0,1,2,3,4,5,6,7,8,9',
  );
  expect(beside).toMatchObject({ code: 0, config: { transform: { contentType: 'application/x-image' } } });
  const alone = await init(path.join(EXAMPLE, 'model.tar.gz'), folder({ 'a.tgz': 'a tar' }), '--yes');
  expect(alone).toMatchObject({ code: 1, text: expect.stringContaining('holds only tars') as string });
});

test('a SavedModel that decodes images gets a handler; classes that nothing shows must be named', async () => {
  const model = path.join(FIXTURES, 'loop_variables');
  const unnamed = await init(model, '--yes');
  expect(unnamed).toMatchObject({ code: 1, text: expect.stringContaining('--classes NAMES|FILE') as string });
  const made = await init(model, '--yes', '--classes', 'a,b,c,d,e');
  expect(made.code).toBe(0);
  expect(readdirSync(path.join(made.output, 'code'))).toEqual(['inference.py']);
  expect(made.config).toMatchObject({ labels: { classes: ['a', 'b', 'c', 'd', 'e'], truth: null } });
  expect(await init(model, '--yes', '--classes', 'a,b')).toMatchObject({
    code: 1,
    text: expect.stringContaining('scores 5 classes, and 2 are named') as string,
  });
});

test('rows with a class beside the numbers: the model gets the others', async () => {
  const rows = Array.from({ length: 30 }, (_, at) =>
    [...Array.from({ length: 6 }, (__, cell) => (at * cell) / 7), at % 4].join(','),
  );
  const made = await init(
    path.join(FIXTURES, 'partitioned'),
    folder({ 'one.csv': rows.join('\n') }),
    '--yes',
    '--classes',
    'a,b,c,d',
  );
  expect(made.config).toMatchObject({
    columns: { features: [0, 1, 2, 3, 4, 5] },
    labels: { truth: { from: 'column', column: 6 }, scores: 'logits' },
  });
  expect(made.config.transform).toEqual({ contentType: 'text/csv', accept: 'text/csv' });
});

test('tables with titles are opened by them, and the drop needs no option', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => [at % 4, ...Array(6).fill(at)].join(','));
  const made = await init(
    path.join(FIXTURES, 'partitioned'),
    folder({ 'one.csv': `\uFEFFkind,b,c,d,e,f,g\r\n${rows.join('\r\n')}` }),
    '--yes',
    ...['--classes', 'a,b,c,d', '--min-accuracy', '0.01'],
  );
  expect(made.config).toMatchObject({
    columns: { features: ['b', 'c', 'd', 'e', 'f', 'g'] },
    labels: { truth: { from: 'column', column: 'kind' } },
  });
  expect(made.config.transform).toEqual({ contentType: 'text/csv', accept: 'text/csv' });
  expect(made.text).toContain('--pipeline made --wait');
});

test.each([
  [
    'label last, id first',
    'id,b,c,d,e,f,g,kind',
    (at: number) => [1000 + at, ...row(at), 'abcd'[at % 4]],
    { id: 'id' },
  ],
  [
    'label between, an id and a note',
    'b,kind,c,d,e,f,g,note,patient',
    (at: number) => [row(at)[0], 'abcd'[at % 4], ...row(at).slice(1), 'fine', `n${at}`],
    { id: 'patient', ignore: ['note'] },
  ],
])('tables with %s begin with init only', async (_, titles, toCells, others) => {
  const rows = Array.from({ length: 30 }, (_, at) => toCells(at).join(','));
  const files = folder({ 'one.csv': `${titles}\n${rows.join('\n')}\n` });
  const given = [path.join(FIXTURES, 'partitioned'), files, '--yes', '--classes', 'a,b,c,d'];
  expect((await init(...given)).text).toMatch(
    /in the order of the file make \d+ of 30 answers right: the model was trained on another order/,
  );
  const made = await init(...given, '--min-accuracy', '0.01');
  expect(made.config).toMatchObject({
    columns: { features: ['b', 'c', 'd', 'e', 'f', 'g'], ...others },
    labels: { truth: { from: 'column', column: 'kind' } },
  });
});

const FIELDS = ['b', 'c', 'd', 'e', 'f', 'g'];
const records = Array.from({ length: 30 }, (_, at) => ({
  ...Object.fromEntries(row(at).map((value, cell) => [FIELDS[cell], value])),
  kind: 'abcd'[at % 4],
  patient: `n${at}`,
}));
const columnData = [...FIELDS, 'kind', 'patient'].map((name) => ({
  name,
  type: FIELDS.includes(name) ? ('DOUBLE' as const) : ('STRING' as const),
  data: records.map((record) => (record as Record<string, unknown>)[name]),
}));
const lines = records.map((record) => JSON.stringify(record)).join('\n');

test.each([
  ['a list in JSON', 'a.json', JSON.stringify(records, undefined, 1), '30 records: a list in JSON'],
  ['JSON Lines', 'a.jsonl', lines, '30 records: JSON Lines'],
  ['JSON Lines within gzip', 'a.jsonl.gz', gzipSync(lines), '30 records: JSON Lines'],
  ['Parquet', 'a.parquet', Buffer.from(parquetWriteBuffer({ columnData })), '30 records: a Parquet table'],
  [
    'CSV of another delimiter, with a line break in a cell',
    'a.csv',
    [
      [...FIELDS, 'kind', 'patient'].join(';'),
      ...records.map((record) => Object.values({ ...record, patient: `"${record.patient}\n"` }).join(';')),
    ].join('\n'),
    '30 records: CSV, ";" between cells, a row of titles',
  ],
])('%s is read as a run opens it', async (_, name, text, words) => {
  const dir = folder({});
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, name), text);
  const given = [path.join(FIXTURES, 'partitioned'), dir, '--yes', '--classes', 'a,b,c,d'];
  const made = await init(...given, '--min-accuracy', '0.01');
  expect(made.config).toMatchObject({
    columns: { features: FIELDS, id: 'patient' },
    labels: { truth: { from: 'column', column: 'kind' } },
  });
  expect(made.text).toContain(`${dir}/`);
  expect(made.text).toContain(words);
  expect(made.text).toMatch(/labels\.truth .* its cells are classes: a \(8\), b \(8\), c \(7\), d \(7\)/);
  expect(made.text).toMatch(/columns\.id +patient {2}30 different texts; shown in reports, not sent/);
  expect(made.text).toMatch(/columns\.features +b, c, d, e, f, g {2}in the order of the file/);
  expect(made.text).toMatch(/^model +6 numbers in, 4 scores out/m);
});

test('--label names the column of the class, and one that is not there is refused with those that are', async () => {
  const rows = records.map((record, at) => [...Object.values(record), 'xyzw'[at % 3]].join(','));
  const files = folder({ 'a.csv': `b,c,d,e,f,g,kind,patient,other\n${rows.join('\n')}\n` });
  const given = [
    path.join(FIXTURES, 'partitioned'),
    files,
    '--yes',
    '--classes',
    'a,b,c,d',
    '--min-accuracy',
    '0.01',
  ];
  const made = await init(...given, '--label', 'kind');
  expect(made.config).toMatchObject({
    columns: { features: FIELDS, id: 'patient', ignore: ['other'] },
    labels: { truth: { from: 'column', column: 'kind' } },
  });
  expect(made.text).toContain('as --label says');
  expect(await init(...given, '--label', 'Kind')).toMatchObject({
    code: 1,
    text: expect.stringContaining(
      '--label must be a column of a.csv, which has "b", "c", "d", "e", "f", "g", "kind", "patient", …: is Kind',
    ) as string,
  });
});

function row(at: number): number[] {
  return Array.from({ length: 6 }, (_, cell) => (at * 7 + cell) / 10);
}

test('numbers that are no classes are refused as regression', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => [...row(at), 100 + at / 2].join(','));
  const files = folder({ 'a.csv': rows.join('\n') });
  const given = [path.join(FIXTURES, 'partitioned'), files, '--yes', '--classes', 'a,b,c,d'];
  expect(await init(...given)).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      /column 6 of .* holds 30 different numbers such as 100, which are no classes, and the model answers no single number/,
    ) as string,
  });
});

test('a class between the other cells is named by --truth, and the model gets the rest', async () => {
  const rows = Array.from({ length: 4 }, (_, at) => [at, at, 'abcd'[at], at, at, at, at].join(','));
  const files = folder({ 'one.csv': rows.join('\n') });
  const given = [path.join(FIXTURES, 'partitioned'), files, '--yes', '--classes', 'a,b,c,d'];
  const made = await init(...given, '--truth', '$[2]');
  expect(made.config).toMatchObject({
    columns: { features: [0, 1, 3, 4, 5, 6] },
    labels: { truth: { from: 'column', column: 2 } },
  });
  expect(await init(...given, '--truth', '$[7]')).toMatchObject({
    code: 1,
    text: expect.stringContaining('not cell 7 is a class next to them') as string,
  });
});

test.each([
  ['labels elsewhere', ['--truth', '(x)'], { from: 'key', pattern: '(x)' }],
  ['no labels', ['--truth', 'none'], null],
])('a row of titles is no record of tables with %s', async (_, options, truth) => {
  const rows = Array.from({ length: 4 }, (__, at) => Array(6).fill(at).join(','));
  const files = folder({ 'x.csv': `b,c,d,e,f,g\n${rows.join('\n')}\n` });
  const given = [path.join(FIXTURES, 'partitioned'), files, '--yes', '--classes', 'a,b,c,d'];
  const made = await init(...given, ...options);
  expect(made.config).toMatchObject({
    columns: { features: ['b', 'c', 'd', 'e', 'f', 'g'] },
    labels: { truth },
  });
  expect(made.config.transform).toEqual({ contentType: 'text/csv', accept: 'text/csv' });
});

test('rows for a PyTorch file need a handler, which answers rows', async () => {
  const state = path.join(folder({ other: '' }), 'weights.safetensors');
  writeFileSync(state, Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{"a":1}')]));
  const files = folder({ 'one.csv': 'kind,x,y\n0,1,2\n1,3,4\n' });
  const made = await init(state, files, '--yes', '--code', CODE, '--classes', 'a,b', '--truth', '$[0]');
  expect(made.config).toMatchObject({
    transform: { contentType: 'text/csv', accept: 'text/csv' },
    columns: { features: ['x', 'y'] },
    labels: { truth: { from: 'column', column: 'kind' } },
  });
});

test.each([
  [
    'rows of another width',
    'partitioned',
    { 'one.csv': '1,2,3\n4,5,6\n' },
    'rows of .* have 3 cells, the model takes 6',
  ],
  [
    'texts for a model of images',
    'loop_variables',
    { 'one.txt': 'text' },
    'decodes images, and some files of .* are not images',
  ],
  ['a model of texts', 'learned-table', { 'one.txt': 'text' }, 'give --code with a handler'],
])('%s is refused with what would do', async (_, model, files, words) => {
  const made = await init(path.join(FIXTURES, model), folder(files), '--yes');
  expect(made.code).toBe(1);
  expect(made.text).toMatch(new RegExp(words));
});

test.each([
  ['nothing.pt', undefined, 'does not exist'],
  ['model.bin', 'text', 'is text, and no model: give the folder of a SavedModel'],
  [
    'm.onnx',
    'version https://git-lfs.github.com/spec/v1\noid',
    'is a pointer of Git LFS instead of the file: run git lfs pull',
  ],
  ['m.keras', '<!DOCTYPE html>', 'is a web page, and no model'],
  ['model.tflite', '\u001c\0\0\0TFL3', 'is a TensorFlow Lite model'],
])('%s is refused by what it is', async (name, text, words) => {
  const dir = folder(text === undefined ? { other: '' } : { [name]: text });
  expect(await init(path.join(dir, name), '--yes')).toMatchObject({
    code: 1,
    text: expect.stringContaining(words) as string,
  });
});

test('a folder with a pipeline is never written over', async () => {
  const output = folder({ 'pipeline.json': '{}' });
  const again = runCommandLine(
    ['init', path.join(FIXTURES, 'loop_variables'), '--output', output, '--name', 'made'],
    silentTerminal(),
  );
  await expect(again).rejects.toThrow(
    `${output}/pipeline.json is there already: give another folder with --output, or replace that pipeline with --force`,
  );
  expect(readFileSync(path.join(output, 'pipeline.json'), 'utf8')).toBe('{}');
});

test('--force replaces a pipeline, and leaves the other files of its folder', async () => {
  const output = folder({ 'pipeline.json': '{}', 'code/mine.py': '', 'classes.txt': 'a' });
  const made = await initInto(
    output,
    path.join(FIXTURES, 'loop_variables'),
    '--force',
    '--classes',
    'a,b,c,d,e',
  );
  expect(made).toMatchObject({ code: 0, config: { labels: { classes: ['a', 'b', 'c', 'd', 'e'] } } });
  expect(readdirSync(output).sort()).toEqual([
    ...['classes.txt', 'code', 'model.tar.gz', 'pipeline.json', 'pipeline.schema.json'],
  ]);
  expect(readdirSync(path.join(output, 'code')).sort()).toEqual(['inference.py', 'mine.py']);
});

test('a folder of hidden files only has room for a pipeline', async () => {
  const output = folder({ '.DS_Store': '', '.git/HEAD': '' });
  const { code } = await initInto(
    output,
    path.join(FIXTURES, 'loop_variables'),
    '--truth',
    'none',
    '--classes',
    'a,b,c,d,e',
  );
  expect(code).toBe(0);
});

test('a folder of data never becomes a pipeline, even by force', async () => {
  const output = folder({ 'train/a.png': '', 'test/b.png': '' });
  const made = await initInto(
    output,
    path.join(FIXTURES, 'loop_variables'),
    '--force',
    '--classes',
    'a,b,c,d,e',
  );
  expect(made).toMatchObject({
    code: 1,
    text: expect.stringMatching(/holds .* and no pipeline\.json/) as string,
  });
  expect(readdirSync(output).sort()).toEqual(['test', 'train']);
});

test('a try that fails, or whose handler is no Python, leaves nothing, so that the next one may succeed', async () => {
  const output = path.join(folder({ other: '' }), 'pipeline');
  const model = [path.join(FIXTURES, 'loop_variables'), '--yes'];
  const code = folder({ 'inference.py': 'def handler(data, context):\nreturn 1' }, 'code');
  for (const wrong of [
    ['--classes', 'a,b'],
    ['--classes', 'a,b,c,d,e', '--content-type', 'image/png', '--code', code],
  ]) {
    expect((await initInto(output, ...model, ...wrong)).code).toBe(1);
    expect(existsSync(output)).toBe(false);
  }
  expect((await initInto(output, ...model, '--classes', 'a,b,c,d,e')).code).toBe(0);
});

test('classes in rotation are all looked at', async () => {
  const dir = folder({ other: '' });
  rmSync(path.join(dir, 'other'));
  const from = path.join(EXAMPLE, 'images');
  const byClass = Map.groupBy(readdirSync(from), (file) => /_(.+)\.png$/.exec(file)![1]!);
  const [least] = [...byClass.values()].map(({ length }) => length).sort((a, b) => a - b);
  for (let turn = 0; turn < least!; turn++)
    for (const [at, [label, files]] of [...byClass].entries())
      copyFileSync(
        path.join(from, files[turn]!),
        path.join(dir, `${String(turn * 10 + at).padStart(4, '0')}_${label}.png`),
      );
  const made = await init(path.join(EXAMPLE, 'model.tar.gz'), dir, '--yes');
  expect(made.code).toBe(0);
  expect(made.text).toMatch(/1\d\d of 120 labeled inputs of 10 classes are right with it/);
});

/** An ONNX file whose class is the greatest of as many numbers, and rows of these classes; of ten rows so many show it. */
function rowsFor(classes: number, labels: readonly (string | number)[], { sure }: { sure: number }) {
  const dir = folder({ other: '' });
  writeFileSync(path.join(dir, 'rows.onnx'), softmaxOnnx(classes));
  const rows = Array.from({ length: 100 }, (_, at) => {
    const label = at % labels.length;
    const shown = Math.floor(at / labels.length) % 10 < sure ? label : (label + 1) % labels.length;
    const offset = classes - labels.length;
    return [
      labels[label],
      ...Array.from({ length: classes }, (__, cell) => (cell === shown + offset ? 9 : 0)),
    ].join(',');
  });
  // A table is often sorted by its classes.
  return [path.join(dir, 'rows.onnx'), folder({ 'rows.csv': rows.sort().join('\n') })] as const;
}

test('rows for an ONNX file show the order of its classes', async () => {
  const made = await init(...rowsFor(3, [0, 1, 2], { sure: 9 }), '--yes');
  expect(made.text).toMatch(/3\d of 36 labeled inputs of 3 classes are right with it/);
  expect(made.config).toMatchObject({
    labels: { classes: ['0', '1', '2'], truth: { from: 'column', column: 0 } },
  });
});

test('an archive of ONNX is opened, and stays as it is', async () => {
  const [model, rows] = rowsFor(3, [0, 1, 2], { sure: 9 });
  const archive = path.join(temporaryFolder('packed-'), 'model.tar.gz');
  await packModel({ model, code: undefined, output: archive });
  const made = await init(archive, rows, '--yes');
  expect(made.config).toMatchObject({ model: { framework: 'onnx' }, labels: { classes: ['0', '1', '2'] } });
  expect(readFileSync(path.join(made.output, 'model.tar.gz')).equals(readFileSync(archive))).toBe(true);
  expect(await init(archive, rows, '--yes', '--code', CODE)).toMatchObject({
    code: 1,
    text: expect.stringContaining('is an archive with its handler in it: leave --code out') as string,
  });
});

test('an order that too few answers show is refused with its share, and with the option that takes it', async () => {
  const made = await init(...rowsFor(3, [0, 1, 2], { sure: 6 }), '--yes');
  expect(made.code).toBe(1);
  expect(made.text).toMatch(
    /classes 0 0, 1 1, 2 2; 2\d of 36 labeled inputs of 3 classes are right with it \([\d.]+%\)/,
  );
  expect(made.text).toContain(
    "answer with --classes NAMES|FILE; --classes '0,1,2' takes the order shown; --yes does so if it makes 70% of at " +
      'least 20 labeled inputs right',
  );
});

test('a class more than names is offered as a background class', async () => {
  const rows = rowsFor(4, ['a', 'b', 'c'], { sure: 9 });
  const unsure = rowsFor(4, ['a', 'b', 'c'], { sure: 5 });
  expect(await init(...unsure, '--yes', '--classes', 'a,b,c')).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      /scores 4 classes, and 3 names are given\. Is output 0 a background class.*--background/,
    ) as string,
  });
  const said = await init(...unsure, '--yes', '--classes', 'a,b,c', '--background');
  expect(said.config).toMatchObject({ labels: { classes: ['a', 'b', 'c'], classOffset: -1 } });
  const shown = await init(...rows, '--yes', '--classes', 'a,b,c');
  expect(shown.config).toMatchObject({ labels: { classes: ['a', 'b', 'c'], classOffset: -1 } });
});

test('recall and deployment are fields of the pipeline, and a deployment needs a gate', async () => {
  const model = [path.join(FIXTURES, 'loop_variables'), '--yes', '--classes', 'a,b,c,d,e'];
  const made = await init(...model, '--min-accuracy', '0.9', '--min-recall', '0.8', '--deploy');
  expect(made.config).toMatchObject({
    gate: { minAccuracy: 0.9, minRecall: 0.8 },
    endpoint: { deploy: 'when-gate-passes' },
  });
  expect(await init(...model, '--deploy')).toMatchObject({
    code: 1,
    text: expect.stringContaining(
      '--deploy serves a run that passes its gate, and there is no gate',
    ) as string,
  });
  await expect(init(...model, '--min-recall', '80')).rejects.toThrow(
    '--min-recall must be a share above 0 and at most 1, such as 0.9, is 80',
  );
});

test('where nobody can be asked, the option that answers is named', async () => {
  const made = await init(path.join(FIXTURES, 'loop_variables'));
  expect(made).toMatchObject({
    code: 1,
    text: expect.stringContaining('answer with --classes NAMES|FILE, or give --yes') as string,
  });
});

test('an ONNX file: classes, pixels and their order are found by what the model answers', async () => {
  const dir = folder({ 'notes.txt': '' }, 'onnx');
  const archive = path.join(ROOT, 'examples', 'onnx-fashion-mnist', 'model.tar.gz');
  await unpackModelArchive(createReadStream(archive), dir);
  const file = path.join(dir, 'model.onnx');
  const { labels } = JSON.parse(readFileSync(path.join(EXAMPLE, 'pipeline.json'), 'utf8')) as {
    labels: { classes: string[] };
  };
  const made = await init(file, path.join(EXAMPLE, 'images'), '--yes');
  expect(made.text).toContain('119 of 120 labeled inputs of 10 classes are right');
  expect(made.config).toMatchObject({
    model: {
      framework: 'onnx',
      networkIsolation: false,
      images: { scale: 1 / 255, resize: 'stretch', order: 'RGB' },
    },
    transform: { contentType: 'application/x-image' },
    labels: { classes: labels.classes, truth: { from: 'key' } },
  });
  // Its graph ends in a Softmax.
  expect(made.config['labels']).not.toHaveProperty('scores');
  expect(readdirSync(made.output).sort()).toEqual(['model.tar.gz', 'pipeline.json', 'pipeline.schema.json']);
});

const PILLOW = path.join(ROOT, 'examples', 'cifar10', 'code');
const CODE = path.join(ROOT, 'examples', 'pytorch-fashion-mnist', 'code');

/** A folder of images for each of two classes. */
function cats(): string {
  const dir = folder({ 'cat/.keep': '', 'dog/.keep': '' });
  for (const name of ['cat', 'dog'])
    copyFileSync(
      path.join(ROOT, 'packages', 'image', 'test', 'fixtures', 'rgb.png'),
      path.join(dir, name, '1.png'),
    );
  return dir;
}

test('a PyTorch file: what decodes its images is asked for, then the order of the folders', async () => {
  const state = path.join(folder({ other: '' }), 'weights.safetensors');
  writeFileSync(state, Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{"a":1}')]));
  expect(await init(state, cats(), '--yes')).toMatchObject({
    code: 1,
    text: expect.stringContaining('weights in safetensors') as string,
  });
  const asked = await init(state, cats(), '--yes', '--code', CODE);
  expect(asked).toMatchObject({ code: 1, text: expect.stringContaining('classes 0 cat, 1 dog') as string });
  expect(asked.text).toMatch(
    /not measured {2}init does not run PyTorch\. An ONNX file of the model would show/,
  );
  const made = await init(state, cats(), '--yes', '--code', CODE, '--classes', 'cat,dog');
  expect(made.config).toMatchObject({
    model: { framework: 'pytorch' },
    transform: { contentType: 'application/x-image' },
    labels: { classes: ['cat', 'dog'], truth: { from: 'folder' } },
  });
  expect(made.config['model']).not.toHaveProperty('networkIsolation');
});

test('a handler whose packages pip installs opens the network, and says so', async () => {
  const made = await init(
    ...[path.join(FIXTURES, 'loop_frozen'), cats(), '--yes'],
    ...['--code', PILLOW, '--classes', 'a,b,c,d,e', '--truth', 'none'],
  );
  expect(made.config).toMatchObject({
    model: { framework: 'tensorflow', networkIsolation: false },
    transform: { contentType: 'application/x-image' },
  });
  expect(made.text).toContain('pip installs the packages of code/requirements.txt');
});

test('a file of Keras needs TensorFlow once, which is said with its size', async () => {
  vi.stubEnv('INFERDROP_CACHE', folder({ empty: '' }));
  const file = path.join(folder({ other: '' }), 'net.keras');
  writeFileSync(
    file,
    Buffer.concat([Buffer.from('\u0089HDF\r\n\u001a\nmodel_config', 'latin1'), Buffer.alloc(64)]),
  );
  expect(await init(file, cats(), '--yes')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/run "inferdrop containers install tensorflow" \([\d.]+ GB/) as string,
  });
  // A network of rows is exported as it is.
  expect(await init(file, folder({ 'one.csv': '1,2\n3,4\n' }), '--yes')).toMatchObject({
    code: 1,
    text: expect.stringContaining('net.keras is a Keras model. It is a program') as string,
  });
  vi.unstubAllEnvs();
});

test.each([
  ['no tar', gzipSync('text'), 'cannot be read: not a gzip-compressed tar archive'],
  ['a tar without files', gzipSync(Buffer.alloc(1024)), 'cannot be read: the archive has no entries'],
])('an archive that is %s is refused by its own name', async (_, bytes, words) => {
  const file = path.join(folder({ other: '' }), 'model.tar.gz');
  writeFileSync(file, bytes);
  const { code, text } = await init(file, '--yes');
  expect([code, text]).toEqual([1, expect.stringContaining(words)]);
  expect(text).toContain(file);
});
