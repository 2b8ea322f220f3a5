import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Application } from '../../../src/cli/application.ts';
import { dropFolder } from '../../../src/cli/files/drop-folder.ts';
import type { RunKind } from '../../../src/run/run-kind.ts';
import { PIPELINE } from '../../support/drop-fixture.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => void (folder = temporaryFolder('drop-')));

/** Keys in the order in which they were written. */
async function upload(kind: RunKind): Promise<string[]> {
  mkdirSync(path.join(folder, 'deeper'));
  for (const name of ['_READY', '_UPLOADING', 'a.png', 'job.json', 'deeper/z.png'])
    writeFileSync(path.join(folder, name), 'x');
  const store = memoryObjectStore();
  const written: string[] = [];
  const watched = {
    ...store,
    write: async (...given: Parameters<typeof store.write>) => {
      written.push(given[0]);
      return store.write(...given);
    },
  };
  const application = { store: watched, bucket: store.bucket } as unknown as Application;
  const drop = { kind, pipeline: 'clothes', drop: 'monday', folder };
  expect(await dropFolder(application, drop, silentTerminal())).toMatch(/clothes\/monday\/000001$/);
  return written;
}

test('a mark before the first file holds the run, and _READY after the last one starts it', async () => {
  const written = await upload('inference');
  expect(written.at(-1)).toBe('incoming/clothes/monday/_READY');
  expect(written[0]).toBe('incoming/clothes/monday/_UPLOADING');
  expect(written.slice(1, -1).sort()).toEqual(
    ['a.png', 'deeper/z.png', 'job.json'].map((name) => `incoming/clothes/monday/${name}`),
  );
});

/** Refusal of a drop of these files, which may not write anything. */
async function refusalOf(names: readonly string[], shut: boolean): Promise<string> {
  for (const name of names) writeFileSync(path.join(folder, name), 'x');
  const store = memoryObjectStore();
  if (shut) store.put('state/clothes/monday/000001/frozen.json', '{}');
  const stored = store.keys().length;
  const application = { store, bucket: store.bucket } as unknown as Application;
  const dropping = dropFolder(
    application,
    { kind: 'inference', pipeline: 'clothes', drop: 'monday', folder },
    silentTerminal(),
  );
  const { name, message } = (await dropping.catch((error: unknown) => error)) as Error;
  expect([name, store.keys().length]).toEqual(['Refusal', stored]);
  return message.replaceAll(folder, 'FOLDER');
}

test.each([
  [
    ['labels.csv', '_READY'],
    true,
    'FOLDER holds labels.csv and no input, and nothing was uploaded. New labels for an earlier run: inferdrop rescore ' +
      'clothes/monday/000001 --labels FOLDER/labels.csv',
  ],
  [
    ['labels.jsonl'],
    false,
    'FOLDER holds labels.jsonl and no input, and nothing was uploaded. New labels for an earlier run: inferdrop ' +
      'rescore RUN --labels FOLDER/labels.jsonl; inferdrop runs --pipeline clothes lists the runs',
  ],
  [['_READY'], false, 'FOLDER holds no input'],
])('labels alone are refused before anything is uploaded: %j', async (names, shut, message) => {
  expect(await refusalOf(names, shut)).toBe(message);
});

test('a link is refused before anything is uploaded, since its file would be missing from the run without a word', async () => {
  symlinkSync('/nowhere', path.join(folder, 'b.png'));
  symlinkSync('.', path.join(folder, '.hidden'));
  expect(await refusalOf(['a.png'], false)).toBe(
    'FOLDER holds 1 symbolic link, such as b.png, and links are not followed: give a copy that holds the files ' +
      'themselves (cp -rL FOLDER COPY)',
  );
});

test('a training gets it with its request', async () => {
  expect((await upload('training')).filter((key) => key.endsWith('_READY'))).toEqual([]);
});

test.each([
  [
    'inference',
    'monday',
    /^\n2 of 3 files or a few more lie in s3:\/\/.*\/incoming\/clothes\/monday\/\. clothes\/monday\/000001 takes them when .*The same command again uploads all of them, and the run starts at once; inferdrop cancel clothes\/monday\/000001 keeps/,
  ],
  ['training', 'monday', /inferdrop cancel training\/clothes\/monday\/000001 keeps the run from starting$/],
  [
    'inference',
    '@judges',
    /^\n2 of 3 files .* lie in s3:\/\/.*\/pipelines\/clothes\/evaluation\/judges\/\. The next training is judged by the files there\. The same command again uploads all of them$/,
  ],
] as const)('an upload of %s to %s that Ctrl-C ends says what is there', async (kind, drop, told) => {
  for (const name of ['a.png', 'b.png', 'c.png']) writeFileSync(path.join(folder, name), 'x');
  const store = memoryObjectStore();
  const writes: (() => void)[] = [];
  const held = { ...store, write: () => new Promise<void>((resolve) => writes.push(resolve)) };
  const terminal = silentTerminal();
  const ended = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const before = process.listenerCount('SIGINT');
  const application = { store: held, bucket: store.bucket } as unknown as Application;
  const upload = dropFolder(application, { kind, pipeline: 'clothes', drop, folder }, terminal);
  const marks = drop === 'monday' ? 1 : 0;
  if (marks > 0) {
    await expect.poll(() => writes).toHaveLength(1);
    writes.shift()!();
  }
  await expect.poll(() => writes).toHaveLength(3);
  writes[0]!();
  writes[1]!();
  await new Promise(setImmediate);
  process.emit('SIGINT');
  expect([ended.mock.calls, terminal.lines.at(-1)]).toEqual([[[130]], expect.stringMatching(told)]);
  writes[2]!();
  if (kind === 'inference') {
    await expect.poll(() => writes).toHaveLength(4);
    writes[3]!();
  }
  await upload;
  expect(process.listenerCount('SIGINT')).toBe(before);
  ended.mockRestore();
});

test('files that the model cannot read are told before the upload', async () => {
  for (const name of ['a.png', 'b.png'])
    writeFileSync(path.join(folder, name), Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'));
  for (const name of ['notes.txt', 'labels.csv']) writeFileSync(path.join(folder, name), 'x');
  writeFileSync(path.join(folder, 'c.png'), '');
  const store = memoryObjectStore();
  store.put('pipelines/clothes/pipeline.json', JSON.stringify(PIPELINE));
  const terminal = silentTerminal();
  const application = { store, bucket: store.bucket } as unknown as Application;
  await dropFolder(application, { kind: 'inference', pipeline: 'clothes', drop: 'monday', folder }, terminal);
  expect(terminal.lines.slice(0, 2)).toEqual([
    expect.stringMatching(
      /^ {2}! 1 of 3 inputs is of another kind than the rest \(images\): 1 text, such as "notes\.txt"/,
    ),
    '  ! 1 file of 0 bytes, such as "c.png", will have no prediction',
  ]);
  expect(terminal.lines[2]).toMatch(/upload/);
});

/** Notes of a drop of these files into a pipeline of this content type. */
async function notesOf(
  files: Readonly<Record<string, string | Buffer>>,
  contentType = 'text/csv',
  more: object = {},
) {
  for (const [name, body] of Object.entries(files)) writeFileSync(path.join(folder, name), body);
  const store = memoryObjectStore();
  const transform = { contentType };
  store.put('pipelines/clothes/pipeline.json', JSON.stringify({ ...PIPELINE, transform, ...more }));
  const application = { store, bucket: store.bucket } as unknown as Application;
  const drop = { kind: 'inference', pipeline: 'clothes', drop: 'monday', folder } as const;
  const notes: string[] = [];
  const terminal = { ...silentTerminal(), note: (text: string) => void notes.push(text) };
  const outcome = await dropFolder(application, drop, terminal).catch((error: Error) => error.message);
  return { outcome, notes, uploaded: store.keys('incoming/') };
}
const PARQUET = 'PAR1\u0015\u0004\u0015\0';

test('files are looked at before the upload as the plan will look at them', async () => {
  const { notes, uploaded } = await notesOf({
    'a.csv': '1,2\n',
    'b.csv': '3,4\n',
    'july.csv': PARQUET,
    'x.csv': '\u0089PNG\r\n\u001a\n',
    _SUCCESS: '',
    'part.crc': '',
  });
  expect(notes.join('\n')).toContain(
    '! not sent: july.csv is a Parquet table: set columns in pipeline.json, which opens it, or write it as CSV',
  );
  expect(notes.join('\n')).toContain('1 hidden file not uploaded: names that begin with a dot, _SUCCESS');
  expect(uploaded).not.toContain('incoming/clothes/monday/_SUCCESS');
  expect(uploaded).toContain('incoming/clothes/monday/july.csv');
});

test('a drop of which most would not be sent is refused, and nothing is uploaded', async () => {
  const { outcome, uploaded } = await notesOf({ 'a.csv': PARQUET, 'b.csv': '1,2\n', 'c.csv': PARQUET });
  expect(outcome).toContain(
    '2 of 3 files that were looked at cannot be sent, so none is. The first of them follow:\na.csv is a Parquet table',
  );
  expect(outcome).toMatch(/Nothing was uploaded$/);
  expect(uploaded).toEqual([]);
  const own = await notesOf({
    'job.json': '{"transform": {"contentType": "application/vnd.apache.parquet"}}',
  });
  expect(own.outcome).toMatch(/clothes\/monday\/000001$/);
});

test('tables that are opened may be in UTF-16', async () => {
  const files = { 'a.csv': Buffer.from('\uFEFFx\ty\r\n1\t2\r\n', 'utf16le') };
  const { outcome } = await notesOf(files, 'text/csv', { columns: { features: ['x', 'y'] } });
  expect(outcome).toMatch(/clothes\/monday\/000001$/);
  expect((await notesOf(files)).outcome).toContain('a.csv is text in UTF-16');
});

test.each([
  [
    'p.csv',
    'petal,y\n1,2\n',
    'p.csv must have the column "x" of columns.features, has "petal", "y": add what is missing\nNothing was uploaded',
  ],
  ['p.csv', '1,2\n3,4\n', 'p.csv begins with "1", "2", and columns.features of pipeline.json are "x", "y"'],
  ['p.csv', 'x,y\n1,"2\n', 'p.csv has a quote in line 2 that never closes'],
  ['p.xlsx', '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1', 'p.xlsx is'],
])('a table that the run would refuse is refused before the upload: %s %j', async (file, text, words) => {
  const files = { [file]: Buffer.from(text, 'latin1'), 'q.csv': 'x,y\n1,2\n' };
  const { outcome, uploaded } = await notesOf(files, 'text/csv', { columns: { features: ['x', 'y'] } });
  expect(outcome).toContain(words);
  expect(outcome).toContain('Nothing was uploaded');
  expect(uploaded).toEqual([]);
});

test('what is known of tables before the upload is told, and no record that the head cuts off', async () => {
  const files = {
    'a.csv': 'ward,y,x\nW,1,2\n3\n',
    'long.csv': `x,y\n${'1,2\n'.repeat(20_000)}1,"2`,
    'quoted.csv': `x,y\n1,"${'2'.repeat(70_000)}"\n`,
  };
  const { notes, uploaded } = await notesOf(files, 'text/csv', { columns: { features: ['x', 'y'] } });
  expect(notes.slice(0, -1)).toEqual([
    `  ! a.csv has columns that pipeline.json doesn't name, and they are not sent: "ward"`,
    '  ! a.csv, record 1 (line 3) has 1 cells, and the first row has 3. It counts as an error',
  ]);
  expect(uploaded).toContain('incoming/clothes/monday/long.csv');
});
