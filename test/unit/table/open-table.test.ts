import { Readable } from 'node:stream';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { judgeHead } from '../../../src/table/judge-head.ts';
import { openTable } from '../../../src/table/open-table.ts';
import type { TableColumns } from '../../../src/table/table-columns.ts';

const COLUMNS: TableColumns = {
  features: ['radius', 'texture'],
  label: 'diagnosis',
  id: null,
  ignore: [],
  delimiter: null,
  form: 'list',
  sends: 'csv',
};
const PLACES: TableColumns = { ...COLUMNS, features: [2, 0], label: 1 };

async function open(table: string | Uint8Array, columns: TableColumns = COLUMNS, size = 1_000) {
  const bytes = Buffer.from(table);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
  return (await Array.fromAsync(openTable(Readable.from(chunks), columns))).flat();
}

/** What the model gets of each record, with its label, or why it gets nothing. */
async function sent(table: string | Uint8Array, columns?: TableColumns) {
  const opened = await open(table, columns);
  return opened.map((record) =>
    record.defect === undefined
      ? [record.text, ...(record.label === undefined ? [] : [record.label])]
      : `of line ${record.line} ${record.defect}`,
  );
}

describe('CSV', () => {
  test.each([
    ['label last', 'radius,texture,diagnosis\n1,2,benign\n3,4,malignant\n'],
    [
      'label first, another order and other columns',
      'diagnosis,texture,id,radius\nbenign,2,x,1\nmalignant,4,y,3\n',
    ],
    ['semicolons', 'radius;diagnosis;texture\n1;benign;2\n3;malignant;4\n'],
    [
      'tabs, a mark and line ends of Windows',
      '\ufeffradius\ttexture\tdiagnosis\r\n1\t2\tbenign\r\n3\t4\tmalignant\r\n',
    ],
    [
      'line ends of old Macs and blank lines',
      '\rradius,texture,diagnosis\r\r1,2,benign\r \r3,4,malignant\r\r',
    ],
    ['quotes everywhere', '"radius","texture","diagnosis"\n"1","2","benign"\n"3","4","malignant"'],
    ['blanks around titles and labels', ' radius ,texture, diagnosis\n1,2, benign \n3,4,malignant\n'],
  ])('with %s gives the model the same bytes', async (_, table) => {
    expect(await sent(table)).toEqual([
      ['1,2', 'benign'],
      ['3,4', 'malignant'],
    ]);
  });

  test('in UTF-16 is read by its mark, or by its zeros', async () => {
    for (const mark of ['\ufeff', '']) {
      const little = Buffer.from(`${mark}radius\tdiagnosis\ttexture\n1\tgutartig ä\t2\n`, 'utf16le');
      for (const table of [little, Buffer.from(little).swap16()])
        expect(await sent(table)).toEqual([['1,2', 'gutartig ä']]);
    }
  });

  test('a record that cannot be read costs itself, and says its line', async () => {
    const rows = ['radius,texture,diagnosis', '1,2,benign', '', '3,4', '5,6,"a\nb"', '7,8,9,10', '11,12,'];
    const table = Buffer.concat([
      Buffer.from(`${rows.join('\n')}\n13,`),
      Buffer.from([0xe4]),
      Buffer.from(',benign\n14,15,benign'),
    ]);
    expect(await sent(table)).toEqual([
      ['1,2', 'benign'],
      'of line 4 has 2 cells, and the first row has 3',
      ['5,6', 'a\nb'],
      'of line 7 has 4 cells, and the first row has 3',
      ['11,12'],
      'of line 9 is not UTF-8: save the file as CSV UTF-8',
      ['14,15', 'benign'],
    ]);
    expect((await open(table)).map(({ index, line }) => [index, line])).toEqual([
      [0, 2],
      [1, 4],
      [2, 5],
      [3, 7],
      [4, 8],
      [5, 9],
      [6, 10],
    ]);
  });

  test('a decimal comma in a column of numbers costs its record, and is a text elsewhere', async () => {
    const point = 'of line 3 has "1,5" in column "radius": write decimal points';
    expect(await sent('radius;texture\n1.5;2\n1,5;2\n')).toEqual([['1.5,2'], point]);
    expect(await sent('radius;texture\nred;2\n1,5;2\n')).toEqual([['red,2'], ['"1,5",2']]);
    const rows = '7;2\n'.repeat(30_000);
    expect((await open(`radius;texture\n${rows}0,5;2`, COLUMNS, 65_536)).at(-1)).toMatchObject({
      line: 30_002,
      defect: 'has "0,5" in column "radius": write decimal points',
    });
  });

  test('a row of titles may have any bytes where none is asked for', async () => {
    const table = Buffer.from('radius,texture,gr\u00f6\u00dfe\n1,2,3\n4,5,6\n', 'latin1');
    expect(await sent(table)).toEqual([['1,2'], ['4,5']]);
  });

  test('without titles is read by places', async () => {
    expect(await sent('0,1,2\n1,3,2\n', PLACES)).toEqual([
      ['2,0', '1'],
      ['2,1', '3'],
    ]);
    expect(await sent('1,benign,2\n3,malignant,4\n', PLACES)).toEqual([
      ['2,1', 'benign'],
      ['4,3', 'malignant'],
    ]);
    expect(await sent('1;benign;2\n', { ...PLACES, delimiter: ';' })).toEqual([['2,1', 'benign']]);
    expect(await sent('red,benign,big\nblue,malignant,small\n', PLACES)).toHaveLength(2);
  });

  test('cells with commas, quotes and line breaks are quoted again', async () => {
    expect(await sent('radius;texture\n"a ""b""\nc";b,5\n', { ...COLUMNS, label: null })).toEqual([
      ['"a ""b""\nc","b,5"'],
    ]);
  });

  test.each([
    [
      'radius,Texture\n1,2\n',
      COLUMNS,
      'must have the column "texture" of columns.features, has "radius", "Texture": did you mean "Texture"?',
    ],
    [
      'radius,x\n1,2\n',
      COLUMNS,
      'must have the column "texture" of columns.features, has "radius", "x": add what is missing',
    ],
    [
      '1,2\n3,4\n',
      COLUMNS,
      'begins with "1", "2", and columns.features of pipeline.json are "radius", "texture": add the row of titles',
    ],
    ['radius,texture,radius\n1,2,3\n', COLUMNS, 'must have the column "radius" once'],
    ['radius,texture,diagnosis,diagnosis\n1,2,a,b\n', COLUMNS, 'must have the column "diagnosis" once'],
    ['radius;texture\n1,5;2\n', COLUMNS, 'has "1,5" in column "radius": write decimal points'],
    [
      'radius;texture\n1;\n;nan\n1,75\n-3;2,25\n1,5;2\n',
      COLUMNS,
      'has "1,5" in column "radius": write decimal points',
    ],
    [
      '1;benign;2\n1,5;benign;2\n',
      { ...PLACES, delimiter: ';' },
      'has "1,5" in column 0: write decimal points',
    ],
    ['0,1,2\n1.5,benign,2\n', PLACES, 'begins with a row of titles ("0", "1", "2"), and columns.features'],
    [',0,1,2\n0,1.5,benign,2\n', PLACES, 'begins with a row of titles ("", "0", "1", "2")'],
    [
      '5,1;3,5;setosa\n6,0;2,9;virginica\n',
      PLACES,
      'begins with "5,1", "3,5", "setosa" between ";": write decimal points, and set columns.delimiter of pipeline.json',
    ],
    [
      'radius,diagnosis,texture\n1,benign,2\n',
      PLACES,
      'begins with a row of titles ("radius", "diagnosis", "texture")',
    ],
    ['1,2\n', PLACES, 'must have 3 columns for columns.features and labels.truth, its first row has 2'],
    ['radius,texture\n1,"2\n3,4\n', COLUMNS, 'has a quote in line 2 that never closes'],
    ['[{"radius": 1}]', PLACES, 'is a list in JSON, and columns.features of pipeline.json are places'],
    ['[[1, 2]]', COLUMNS, 'begins with "1", "2", and columns.features of pipeline.json are "radius"'],
    [
      '[["radius", "diagnosis", "texture"],\n[1, "benign", 2]]',
      PLACES,
      'begins with a row of titles ("radius"',
    ],
    ['[{"radius": 1, "texture": 2},\n{"radius": 3', COLUMNS, 'is a list in JSON that breaks off in line 2'],
    ['[\n{"radius": 1, "texture": 2}]\n[', COLUMNS, 'has something behind its list in JSON, in line 3'],
    ['%PDF-1.7', COLUMNS, 'is a PDF document: take its pages'],
    [
      Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
      COLUMNS,
      'is a PNG image: this pipeline opens CSV, JSON Lines, JSON lists and Parquet',
    ],
    ['{"radius": 1}', PLACES, 'is JSON Lines, and columns.features of pipeline.json are places'],
  ])('%j is refused as a whole', async (table, columns, message) => {
    await expect(open(table, columns)).rejects.toThrow(
      expect.objectContaining({ name: 'TableRefused', message: expect.stringContaining(message) }),
    );
  });

  test('without a record is empty', async () => {
    for (const table of ['', '\n\n', 'radius,texture\n']) expect(await open(table)).toEqual([]);
  });
});

test('a row may be wider than what tells a kind', async () => {
  const titles = Array.from({ length: 10_000 }, (_, at) => `ENSG00000${at}`);
  const columns = { ...COLUMNS, features: ['radius', 'texture'], ignore: titles };
  const cells = titles.map((_, at) => `${at}.25`);
  const rows = [
    ['radius', 'diagnosis', ...titles, 'texture'],
    ['1', 'benign', ...cells, '2'],
    ['3', '', ...cells, '4'],
  ];
  for (const between of [',', ';'])
    expect(await sent(rows.map((row) => `${row.join(between)}\n`).join(''), columns)).toEqual([
      ['1,2', 'benign'],
      ['3,4'],
    ]);
  const head = Buffer.from(rows.map((row) => `${row.join(',')}\n`).join('')).subarray(0, 65_536);
  expect(await judgeHead(head, columns, false)).toEqual({ unknown: [] });
});

describe('JSON Lines', () => {
  const JSON_COLUMNS: TableColumns = { ...COLUMNS, sends: 'json' };

  test('keep each digit, and a record that cannot be read costs itself', async () => {
    const table = [
      '{"texture": 9007199254740993, "radius": 1.10, "diagnosis": "benign"}',
      'no JSON',
      '{"radius": "\\u00e9,", "texture": null, "diagnosis": 1}',
      '[1]',
      '{"radius": 1}',
    ].join('\n');
    const defects = ['of line 4 is no JSON object', 'of line 5 has no field "texture"'];
    expect(await sent(table, JSON_COLUMNS)).toEqual([
      ['[1.10,9007199254740993]', 'benign'],
      'of line 2 is no JSON object',
      ['["\\u00e9,",null]', '1'],
      ...defects,
    ]);
    expect(await sent(table, { ...JSON_COLUMNS, form: 'object' })).toContainEqual([
      '{"radius":1.10,"texture":9007199254740993}',
      'benign',
    ]);
    expect(await sent(table)).toEqual([
      ['1.10,9007199254740993', 'benign'],
      'of line 2 is no JSON object',
      ['"é,",', '1'],
      ...defects,
    ]);
  });

  test('a single feature is sent itself, and a list is no cell', async () => {
    const table = '{"pixels": [1, [2]]}\n';
    const columns = { ...JSON_COLUMNS, features: ['pixels'], label: null };
    expect(await sent(table, columns)).toEqual([['[1, [2]]']]);
    expect(await sent(table, { ...columns, sends: 'csv' })).toEqual([
      'of line 1 has no single value in "pixels"',
    ]);
  });

  test('cells of CSV are numbers where they are written as numbers', async () => {
    expect(await sent('radius,texture\n 1.50 ,01\n,nan\n', { ...JSON_COLUMNS, label: null })).toEqual([
      ['[1.50,"01"]'],
      ['[null,"nan"]'],
    ]);
  });
});

describe('a JSON list', () => {
  test.each([
    ['a line', '[{"texture":2,"radius":1.10,"diagnosis":"benign"},{"radius":3,"texture":4}]'],
    ['a record a line', '[{"texture":2,"radius":1.10,"diagnosis":"benign"},\n{"radius":3,"texture":4}]\n'],
    [
      'many lines',
      '\ufeff[\n {\n  "texture": 2,\n  "radius": 1.10,\n  "diagnosis": "benign"\n },\n {"radius": 3, "texture": 4}\n]',
    ],
    ['rows with titles', '[["radius", "texture", "diagnosis"], [1.10, 2, "benign"], [3, 4, null]]'],
    [
      'rows with titles, a line each',
      '[\n["radius", "texture", "diagnosis"],\n[1.10, 2, "benign"],\n[3, 4, null]]',
    ],
    ['rows of JSON Lines', '["radius", "texture", "diagnosis"]\n[1.10, 2, "benign"]\n[3, 4, null]\n'],
  ])('as %s gives the model the same bytes', async (_, table) => {
    expect(await sent(table)).toEqual([['1.10,2', 'benign'], ['3,4']]);
    expect(await sent(table, { ...COLUMNS, sends: 'json' })).toEqual([['[1.10,2]', 'benign'], ['[3,4]']]);
  });

  test('without titles is read by places', async () => {
    expect(await sent('[[1, "benign", 2], [3, "malignant", [4]]]', PLACES)).toEqual([
      ['2,1', 'benign'],
      'of line 1 has no single value in 2',
    ]);
    expect(await sent('[1, "benign", "a,b"]\n[3, 4]\n{"a": 1}\n', PLACES)).toEqual([
      ['"a,b",1', 'benign'],
      'of line 2 has 2 cells, and the first row has 3',
      'of line 3 is no list in JSON',
    ]);
  });

  test.each([
    [',\n', [2, 3, 4]],
    [', ', [1, 1, 1]],
  ])('loses no record but the ones that cannot be read: between %j', async (between, lines) => {
    const elements = ['{"radius": 1, "texture": 2}', '17', '{"radius": 3 "texture": 4}', '{"radius": 5}'];
    expect(await sent(`[${elements.join(between)}, {"radius": 6, "texture": 7}]`)).toEqual([
      ['1,2'],
      `of line ${lines[0]} is no JSON object`,
      `of line ${lines[1]} is no JSON object`,
      `of line ${lines[2]} has no field "texture"`,
      ['6,7'],
    ]);
  });

  test('of rows that are none loses each of them', async () => {
    expect(await open('[]')).toEqual([]);
    expect(await sent('[1 2]\n[3 4]\n', PLACES)).toEqual([
      'of line 1 is no list in JSON',
      'of line 2 is no list in JSON',
    ]);
    await expect(open('[{"radius": 1, "texture": 2}')).rejects.toThrow(
      'is a list in JSON that breaks off in line 1',
    );
  });
});

test('Parquet gives the features in their order, the label and the id, and names what nobody asked for', async () => {
  const columnData = [
    { name: 'note', data: ['x', 'y'], type: 'STRING' as const },
    { name: 'id', data: ['p1', null], type: 'STRING' as const },
    { name: 'texture', data: [2, 4], type: 'INT32' as const },
    { name: 'diagnosis', data: [null, ' benign '], type: 'STRING' as const },
    { name: 'radius', data: [1.5, null], type: 'DOUBLE' as const },
  ];
  const bytes = Buffer.from(parquetWriteBuffer({ columnData }));
  const unknown: string[] = [];
  const ranges = {
    sizeBytes: bytes.length,
    read: async (start: number, end: number) => bytes.subarray(start, end),
  };
  const columns = { ...COLUMNS, id: 'id' };
  const opened = openTable(Readable.from([bytes]), columns, {
    onUnknown: (titles) => unknown.push(...titles),
    ranges,
  });
  const records = (await Array.fromAsync(opened)).flat();
  expect(records).toMatchObject([
    { index: 0, line: 1, text: '1.5,2', label: undefined, id: 'p1' },
    { index: 1, line: 2, text: ',4', label: 'benign', id: undefined },
  ]);
  const same = await open('radius,texture,id,diagnosis\n1.5,2,p1,\n,4,,malignant\n', columns);
  expect(same.map(({ content }) => content)).toEqual(records.map(({ content }) => content));
  expect(unknown).toEqual(['note']);
  await expect(Array.fromAsync(openTable(Readable.from([bytes]), PLACES, { ranges }))).rejects.toThrow(
    'is a Parquet table, and columns.features of pipeline.json are places: name its columns',
  );
});

test.each([
  ['PK\u0003\u0004', 'is a ZIP archive: unpack it, and drop the tables that are in it'],
  ['\u0028\u00b5\u002f\u00fd', 'is compressed with zstd: unpack it, or compress it with gzip'],
  ['BZh91AY&SY', 'is compressed with bzip2: unpack it, or compress it with gzip'],
  ['\u00fd7zXZ\u0000', 'is compressed with xz: unpack it, or compress it with gzip'],
  ['7z\u00bc\u00af\u0027\u001c', 'is a 7z archive: unpack it, or compress it with gzip'],
  ['Rar!\u001a\u0007', 'is a RAR archive: unpack it, or compress it with gzip'],
  [
    `${'a'.padEnd(257, '\0')}ustar`.padEnd(1_024, '\0'),
    'is a tar: unpack it, and drop the tables that are in it',
  ],
  [
    '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1',
    'is an Office file of before 2007, or one with a password: save',
  ],
  ['ORC\u0003\0', 'is an ORC table: write it as CSV'],
])('the way out for a packed file is one for tables: %j', async (bytes, message) => {
  await expect(open(Buffer.from(bytes, 'latin1'))).rejects.toThrow(message);
});

test('shuffled, added, quoted and delimited columns give the model the same bytes', async () => {
  const cell = fc.oneof(
    fc.double().map(String),
    fc.string({ unit: fc.constantFrom('a', ',', ';', '"', '\n', '\r', ' ', 'é') }),
  );
  const drawn = fc.record({
    rows: fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 }),
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    mark: fc.constantFrom('', '\ufeff'),
    size: fc.integer({ min: 1, max: 50 }),
  });
  const quoted = (text: string, delimiter: string) =>
    /["\r\n]/.test(text) || text.includes(delimiter) || text.trim() === ''
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const written = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  await fc.assert(
    fc.asyncProperty(drawn, async ({ rows, order, delimiter, end, mark, size }) => {
      const all = [['radius', 'texture', 'diagnosis', 'ward'], ...rows.map((row) => [...row, 'x'])];
      const text = all
        .map((row) => order.map((at) => quoted(row[at]!, delimiter)).join(delimiter) + end)
        .join('');
      const opened = await open(mark + text, COLUMNS, size);
      expect(opened.map((record) => ('text' in record ? [record.text, record.label] : record))).toEqual(
        rows.map(([radius, texture, label]) => [
          `${written(radius)},${written(texture)}`,
          label.trim() || undefined,
        ]),
      );
    }),
  );
});
