import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readInputs } from '../../../src/app/records/inputs.ts';
import { MOST_LOOKED_AT } from '../../../src/input/looked-at.ts';
import { Plan } from '../../../src/plan/plan.ts';
import type { Problem } from '../../../src/problem/problem.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { PREFIX } from '../../support/drive-transform.ts';
import { type DropFixture, PARTS, PIPELINE } from '../../support/drop-fixture.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { packedTar } from '../../support/packed-tar.ts';
import { frozenFiles, planWithTars } from '../../support/tar-drop.ts';

const XLSX = Buffer.from(
  'PK\u0003\u0004\u0014\0\u0006\0\u0008\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\u000f\0\0\0xl/workbook.xml',
);
const HEIC = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic');
const PARQUET = Buffer.from('PAR1\u0015\u0004\u0015\0');
const PNG = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
const EXCEL = 'is an Excel workbook: save it as CSV UTF-8, or write it as CSV: pandas.read_excel(FILE)';

const sending = (contentType: string, more: object = {}): DropFixture => ({
  pipeline: { ...PIPELINE, transform: { contentType, ...more } },
});
const planOf = (store: MemoryObjectStore) => Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
async function defectsOf(store: MemoryObjectStore) {
  const inputs = await Array.fromAsync(readInputs(store, PARTS));
  return Object.fromEntries(
    inputs.flatMap(({ name, defect }) => (defect === undefined ? [] : [[name.slice(PREFIX.length), defect]])),
  );
}
/** Sentences of the refusal of a drop. */
async function refusal(store: MemoryObjectStore): Promise<string> {
  return planWithTars(store).then(
    () => expect.unreachable('the run was planned'),
    () =>
      (JSON.parse(store.text(bucketLayout.problems(PARTS))!).problems as Problem[])
        .map(({ file, message }) => `${file} ${message}`)
        .join('\n'),
  );
}

test('a file that no container reads is no input of the model, and costs no other file', async () => {
  const store = await frozenFiles({ 'a.png': PNG, 'b.jpg': HEIC, 'c.png': PNG, 'd.csv': XLSX, 'e.png': PNG });
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 3 });
  const { excluded, notes } = planOf(store);
  expect(excluded).toMatchObject({ unreadable: 2 });
  expect(await defectsOf(store)).toEqual({
    'b.jpg': 'is an HEIC photograph, as iPhones take it: convert it to JPEG: no container of AWS decodes it',
    'd.csv': expect.stringContaining(EXCEL),
  });
  expect(notes).toContainEqual(
    expect.stringMatching(/^2 of 5 inputs cannot be read, and errors\.csv names each: ".*b\.jpg" is an HEIC/),
  );
});

test('if most files are refused, so is the drop, with the first of them by name', async () => {
  const store = await frozenFiles({ 'a.csv': '1,2\n', 'b.csv': XLSX, 'c.xlsx': XLSX }, sending('text/csv'));
  const message = await refusal(store);
  expect(message).toContain('2 of 3 files that were looked at cannot be sent, so none is');
  expect(message).toContain(`b.csv ${EXCEL}`);
  expect(message).toContain('c.xlsx is an Excel');
  expect(store.text(bucketLayout.plan(PARTS))).toBeUndefined();
});

test('a Parquet file is refused by name, and never read as text', async () => {
  const store = await frozenFiles({ 'a.csv': PARQUET }, sending('text/csv', { splitType: 'Line' }));
  expect(await refusal(store)).toContain(
    'a.csv is a Parquet table: set columns in pipeline.json, which opens it, or write it as CSV: ' +
      'pandas.read_parquet(FILE).to_csv("table.csv", index=False)',
  );
});

test.each([
  ['application/vnd.apache.parquet', PARQUET],
  ['application/octet-stream', XLSX],
  ['image/heic', HEIC],
  ['text/html', '<!doctype html><html>'],
])('a model that is sent %s gets what it asks for', async (contentType, body) => {
  const store = await frozenFiles({ a: body }, sending(contentType));
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 1 });
});

test.each([
  [
    'Line',
    '[{"a":1},{"a":2}]',
    'is one JSON list, and transform.splitType "Line" makes a record of each line',
  ],
  ['Line', '{\n "instances": [1]\n}\n', undefined],
  ['Line', '{"a":1}\n{"a":2}\n', undefined],
  ['None', '[{"a":1},{"a":2}]', undefined],
  ['None', '{\n "instances": [1]\n}\n', undefined],
])('with splitType %s, %j is planned or refused', async (splitType, body, words) => {
  const store = await frozenFiles({ 'a.json': body }, sending('application/json', { splitType }));
  if (words === undefined) expect(await planWithTars(store)).toMatchObject({ status: 'planned' });
  else expect(await refusal(store)).toContain(words);
});

test('an error page or a pointer is never an input, whatever the model reads', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 1\n';
  const store = await frozenFiles({ a: pointer }, sending('application/octet-stream'));
  expect(await refusal(store)).toContain('a is a pointer of Git LFS instead of the file: run git lfs pull');
});

test('kinds are told by the bytes, and another kind among the rest is noted', async () => {
  const store = await frozenFiles({ 'a.csv': '1,2\n', 'b.png': '3,4\n', 'c.csv': PNG }, sending('text/csv'));
  await planWithTars(store);
  expect(planOf(store).notes).toContain(
    '1 of 3 inputs is of another kind than the rest (text): 1 images, such as "incoming/shapes/monday/c.csv". The ' +
      'model gets them all the same: take out what it cannot read',
  );
});

test('a model in a tar is no drop of inputs, whether its members are at the beginning of the tar or not', async () => {
  const model = await packedTar({ '1/saved_model.pb': 'graph' });
  const late = await packedTar({ '1/variables/v': 'x'.repeat(200_000), '1/saved_model.pb': 'graph' });
  const store = await frozenFiles({
    'a.tar': model,
    'b.tgz': gzipSync(model),
    'c.tar': late,
    'd.png': PNG,
    'e.png': PNG,
    'f.png': PNG,
  });
  expect(await planWithTars(store)).toMatchObject({ objects: 3 });
  const words = 'is an archive of a model: inferdrop init takes models; a drop only holds inputs';
  expect(await defectsOf(store)).toEqual({ 'a.tar': words, 'b.tgz': words, 'c.tar': words });
});

test('members of tars are looked at as they are read', async () => {
  const store = await frozenFiles({
    'a.tar': await packedTar({ '1.png': PNG, '2.jpg': HEIC, '3.csv.gz': gzipSync('1') }),
  });
  expect(await planWithTars(store)).toMatchObject({ objects: 1 });
  expect(await defectsOf(store)).toEqual({
    'a.tar/2.jpg': expect.stringMatching(/^is an HEIC photograph/),
    'a.tar/3.csv.gz': 'is compressed with gzip: unpack it',
  });
});

test('a member beside an image of its name is no input, whatever its kind is', async () => {
  const store = await frozenFiles({
    'a.tar': await packedTar({ '1.png': PNG, '1.pkl': '\u0000', '1.npz': XLSX, '2.npz': XLSX }),
  });
  expect(await planWithTars(store)).toMatchObject({ objects: 1 });
  expect(Object.keys(await defectsOf(store))).toEqual(['a.tar/2.npz']);
});

test('a tar whose name does not say so, and a zip that is named as one', async () => {
  const store = await frozenFiles({
    'a.png': await packedTar({ '1.png': PNG }),
    'b.tar': XLSX,
    'c.png': PNG,
    'd.png': PNG,
  });
  expect(await planWithTars(store)).toMatchObject({ objects: 2 });
  expect(await defectsOf(store)).toEqual({
    'a.png': expect.stringContaining(
      'name it incoming/shapes/monday/a.png.tar, so that its members are inputs',
    ),
    'b.tar': expect.stringContaining('is an Excel workbook'),
  });
});

test('settings that change between two looks leave no refusal behind', async () => {
  const store = await frozenFiles({ 'a.png': PNG, 'b.png': HEIC });
  await planWithTars(store);
  expect(Object.keys(await defectsOf(store))).toEqual(['b.png']);
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(sending('image/heic').pipeline));
  await planWithTars(store).catch(() => undefined);
  expect(await defectsOf(store)).toEqual({});
});

test('of a large drop some files from all over it are looked at', async () => {
  const names = Array.from(
    { length: 2 * MOST_LOOKED_AT + 500 },
    (_, at) => `${String(at).padStart(5, '0')}.png`,
  );
  const store = await frozenFiles(Object.fromEntries(names.map((name) => [name, HEIC])));
  const read: string[] = [];
  const { readBytes } = store;
  const watched = {
    ...store,
    readBytes: (key: string, ...range: never[]) => (read.push(key), readBytes(key, ...range)),
  };
  expect(
    await refusal(Object.assign(watched, { in: () => watched }) as unknown as MemoryObjectStore),
  ).toContain('1,000 of 1,000 files that were looked at cannot be sent');
  const looked = new Set(read.filter((key) => key.startsWith(PREFIX)));
  expect(looked.size).toBe(MOST_LOOKED_AT);
  const late = names.slice(-500).filter((name) => looked.has(PREFIX + name));
  expect(late.length).toBeGreaterThan(150);
});
