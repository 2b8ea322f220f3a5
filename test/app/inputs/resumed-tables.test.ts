import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { indexTars } from '../../../src/app/inputs/index-tars.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { NOW, PARTS, RUN } from '../../support/drop-fixture.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { random } from '../../support/random.ts';

const clock = () => NOW;
const TABLES = 160;
const KEY = 'incoming/clothes/monday/a.table';
const COPIES = 'staged/clothes/monday/000001/inputs/';
const COLUMNS = {
  features: ['x', 'y'],
  label: 'shape',
  id: 'who',
  ignore: [],
  delimiter: null,
  form: 'list' as const,
  sends: 'csv' as const,
};
const LINES = { notation: 'csv' as const, filter: null, truth: null };
/** A call that has all its time. */
const whole = { leftMs: () => Infinity };

interface Drawn {
  readonly x: number;
  readonly y: string;
  readonly shape: string;
  readonly isBad: boolean;
}

const FORMATS: Record<string, (records: readonly Drawn[], below: (count: number) => number) => Uint8Array> = {
  csv: (records, below) =>
    Buffer.from(
      ['who;shape;x;note;y', ...records.map((record) => rowOf(record).join(';'))].join(
        ['\n', '\r\n', '\n\n'][below(3)],
      ),
    ),
  gzip: (records) =>
    gzipSync(['who;shape;x;note;y', ...records.map((record) => rowOf(record).join(';'))].join('\n') + '\n'),
  utf16: (records) =>
    Buffer.from(
      `\uFEFF${['who\tshape\tx\tnote\ty', ...records.map((record) => rowOf(record).join('\t'))].join('\n')}`,
      'utf16le',
    ),
  'json lines': (records) => Buffer.from(records.map((record) => `${objectOf(record)}\n`).join('')),
  'a list': (records) => Buffer.from(`[${records.map(objectOf).join(',\n')}]`),
  'a list of rows': (records) =>
    gzipSync(
      JSON.stringify([
        ['who', 'shape', 'x', 'note', 'y'],
        ...records.map((record) => rowOf(record).map((cell) => cell.replaceAll('"', ''))),
      ]),
    ),
  parquet: (records, below) =>
    Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'note', data: records.map(() => 'n'), type: 'STRING' as const },
          { name: 'y', data: records.map(({ y }) => (y === '' ? null : y)), type: 'STRING' as const },
          { name: 'x', data: records.map(({ x }) => x), type: 'INT32' as const },
          { name: 'shape', data: records.map(({ shape }) => shape), type: 'STRING' as const },
          { name: 'who', data: records.map(({ x }) => `P${x}`), type: 'STRING' as const },
        ],
        rowGroupSize: [1 + below(9)],
      }),
    ),
  lines: (records) =>
    Buffer.from(records.map(({ x, isBad }) => (isBad ? `${x},"\n"\n` : `${x},1\n`)).join('')),
};

function rowOf({ x, y, shape, isBad }: Drawn): string[] {
  return [`P${x}`, shape, String(x), 'n', `"${y}"`].slice(isBad ? 1 : 0);
}

function objectOf({ x, y, shape, isBad }: Drawn): string {
  return isBad
    ? ['17', '{"x":1}', '{"x" 1}'][x % 3]!
    : JSON.stringify({ who: `P${x}`, x, y, shape, note: 1 });
}

/** A table of a seed, and the item that opens it. */
function drawTable(seed: number) {
  const next = random(seed);
  const below = (count: number) => Math.floor(next() * count);
  const format = Object.keys(FORMATS)[seed % Object.keys(FORMATS).length]!;
  const texts = format === 'parquet' ? ['a', ''] : ['a', '', 'two\nlines', 'é'];
  const count = format === 'parquet' ? 1 + below(40) : below(40);
  const records = Array.from({ length: count }, (_, x) => ({
    x,
    y: texts[below(texts.length)]!,
    shape: ['circle', 'square', ''][below(3)]!,
    isBad: below(5) === 0,
  }));
  const body = FORMATS[format]!(records, below);
  const itemOf = (store: MemoryObjectStore, mostRecords = 1_000) => {
    const { size, etag, lastModified } = store.info(KEY)!;
    return indexTars.input.parse({
      run: RUN,
      item: 0,
      copies: COPIES,
      share: {
        what: 'table',
        mostRecords,
        object: { key: KEY, size, etag, lastModified: lastModified.toISOString() },
      },
      settings: {
        bucket: 'bucket',
        prefix: 'incoming/clothes/monday/',
        largestBytes: null,
        images: false,
        unpacks: true,
        cutsLines: true,
        labels: null,
        table: format === 'lines' ? LINES : COLUMNS,
        sent: { contentType: 'text/csv', splitType: 'None' },
      },
    });
  };
  return { format, body, itemOf, below, settings: { partRecords: 1 + below(4), pieceParts: 1 + below(3) } };
}

/** What a table has become: its list in one, its staged objects, and what is said of it. */
function foundIn(store: MemoryObjectStore) {
  const { pieces, ...said } = JSON.parse(store.text(bucketLayout.indexed(PARTS, 0))!) as { pieces: number[] };
  const list = pieces
    .map((end, at) => store.text(bucketLayout.members(PARTS, 0, pieces[at - 1] ?? 0, end)))
    .join('');
  return { said, list, staged: store.keys(COPIES).map((key) => [key, store.text(key)]) };
}

test(
  `of ${TABLES} drawn tables, cut off by time or killed anywhere, the list, staged objects and defects are those of one ` +
    'pass',
  async () => {
    const cuts: Record<string, number> = {};
    for (let seed = 1; seed <= TABLES; seed++) {
      const { format, body, itemOf, below, settings } = drawTable(seed);
      const once = memoryObjectStore({ clock });
      once.put(KEY, body);
      expect(await indexTars(itemOf(once), { store: once, settings, ...whole })).toEqual({ isDone: true });
      let killed = Infinity;
      const store = memoryObjectStore({
        clock,
        before: () => {
          killed -= 1;
          if (killed <= 0) throw new Error('killed');
        },
      });
      store.put(KEY, body);
      for (let isDone = false; !isDone;) {
        killed = [Infinity, 1 + below(40)][below(2)]!;
        // A call looks at the time while it passes records over, too.
        let looks = 3 + below(4);
        const leftMs = () => (looks-- > 0 ? 900_000 : 0);
        await indexTars(itemOf(store), { store, settings, leftMs }).then(
          (answer) => {
            ({ isDone } = answer);
            if (!isDone) cuts[format] = (cuts[format] ?? 0) + 1;
          },
          (error: Error) => expect(error.message).toBe('killed'),
        );
      }
      expect({ seed, ...foundIn(store) }).toEqual({ seed, ...foundIn(once) });
    }
    expect(Object.keys(cuts).sort()).toEqual(Object.keys(FORMATS).sort());
  },
);

test('two calls at once, of which one was thought dead, leave a list without a gap or a double', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { body, itemOf, below, settings } = drawTable(seed);
    const [once, store] = [
      memoryObjectStore({ clock }),
      memoryObjectStore({
        clock,
        before: async () => {
          for (let turns = below(5); turns > 0; turns--) await Promise.resolve();
        },
      }),
    ];
    once.put(KEY, body);
    store.put(KEY, body);
    await indexTars(itemOf(once), { store: once, settings, ...whole });
    const call = async (): Promise<void> => {
      let looks = 3 + below(4);
      const leftMs = () => (looks-- > 0 ? 900_000 : 0);
      if (!(await indexTars(itemOf(store), { store, settings, leftMs })).isDone) await call();
    };
    await Promise.all([call(), call()]);
    expect({ seed, ...foundIn(store) }).toEqual({ seed, ...foundIn(once) });
  }
});

test('what is wrong at the end, or has changed meanwhile, is said as in one pass', async () => {
  const settings = { partRecords: 1, pieceParts: 1 };
  const late = { leftMs: () => 0, settings };
  // More parts than are written at once.
  const rows = (count: number): string => `x,y,shape,who\n${'1,2,circle,P\n'.repeat(count)}`;
  const { itemOf } = drawTable(8);
  const said = (store: MemoryObjectStore) => JSON.parse(store.text(bucketLayout.indexed(PARTS, 0))!);

  const open = memoryObjectStore({ clock });
  open.put(KEY, `${rows(40)}"`);
  expect(await indexTars(itemOf(open), { store: open, ...late })).toEqual({ isDone: false });
  await indexTars(itemOf(open), { store: open, settings, ...whole });
  expect(said(open)).toMatchObject({ refused: expect.stringContaining('has a quote in line 42 that never') });

  const many = memoryObjectStore({ clock });
  many.put(KEY, rows(40));
  expect(await indexTars(itemOf(many, 39), { store: many, ...late })).toEqual({ isDone: false });
  await indexTars(itemOf(many, 39), { store: many, settings, ...whole });
  expect(said(many)).toMatchObject({ refused: 'has more than 39 records: cut it into smaller tables' });

  const other = memoryObjectStore({ clock });
  other.put(KEY, rows(40));
  const item = itemOf(other);
  expect(await indexTars(item, { store: other, ...late })).toEqual({ isDone: false });
  other.put(KEY, rows(2));
  await indexTars(item, { store: other, settings, ...whole });
  expect(JSON.parse(foundIn(other).list)).toMatchObject({
    key: KEY,
    defect: expect.stringContaining('was overwritten after the manifest was frozen'),
  });
});

test('a table is refused once reading up to its place takes all the time that a function has', async () => {
  const { itemOf } = drawTable(8);
  // More than a chunk of the table.
  const settings = { partRecords: 8_000, pieceParts: 1 };
  const store = memoryObjectStore({ clock });
  store.put(KEY, `x,y,shape,who\n${'1,2,circle,P\n'.repeat(20_000)}`);
  const late = { store, settings, leftMs: () => 0 };
  expect(await indexTars(itemOf(store, 1e9), late)).toEqual({ isDone: false });
  expect(await indexTars(itemOf(store, 1e9), late)).toEqual({ isDone: true });
  expect(JSON.parse(store.text(bucketLayout.indexed(PARTS, 0))!)).toMatchObject({
    refused:
      'is too long: 8,000 of its records are opened, and reading up to them takes all the time that a function has: ' +
      'cut it into smaller tables',
  });
});
