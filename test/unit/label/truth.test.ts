import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { type ChooseColumns, decideColumns } from '../../../src/label/label-columns.ts';
import { LabelFileUnreadable } from '../../../src/label/label-row.ts';
import { labelRows } from '../../../src/label/label-rows.ts';
import { keyOfRow, NameForm, TruthTable } from '../../../src/label/truth-in-file.ts';
import { toPlainPattern, truthByFolder, truthByPattern } from '../../../src/label/truth-in-key.ts';
import { truthInRecord } from '../../../src/label/truth-in-record.ts';
import { parseJsonPath } from '../../../src/prediction/json-path.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';
import { pieces } from '../../support/pieces.ts';

const input = { bucket: 'data', prefix: 'incoming/p/d/', oneRecord: false };
const KEYS = ['incoming/p/d/a.png', 'incoming/p/d/sub/b.png', 'incoming/p/d/c,1.png'];

async function lookUp(name: string, text: string, size: number, place: typeof input) {
  const table = new TruthTable(KEYS, place.oneRecord);
  for (const rows of await Array.fromAsync(labelRows(name, pieces(text, size))))
    for (const row of rows) table.add({ ...row, key: keyOfRow(row.key, place) });
  return table.lookUp;
}

async function lookedUp(name: string, text: string, size = 7) {
  const found = await lookUp(name, text, size, input);
  return KEYS.map((key) => found(key, 0));
}

test('a key means the name that it is written as, or else one in the form that all names have: never another one', () => {
  const letter = fc.constantFrom(
    'a',
    '/',
    'é',
    'e\u0301',
    'å',
    '\u212b',
    '가',
    '中',
    '\u0958',
    'ﬁ',
    '\u0301',
  );
  const text = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''));
  const form = fc.constantFrom('NFC', 'NFD', undefined);
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 6 }),
      text,
      form,
      form,
      (some, other, given, asked) => {
        const names = some.map((name) => `é/${given === undefined ? name : name.normalize(given)}`);
        const known = new NameForm('é/');
        for (const name of names) known.add(name);
        for (const name of [...names, `é/${other}`]) {
          const found = known.nameOf(`é/${name.slice(2).normalize(asked)}`);
          expect(found.normalize('NFC')).toBe(name.normalize('NFC'));
        }
        // A name is its own key, whatever the others are.
        for (const name of names) expect(known.nameOf(name)).toBe(name);
        if (given !== undefined)
          for (const name of names) expect(known.nameOf(`é/${name.slice(2).normalize(asked)}`)).toBe(name);
      },
    ),
  );
});

test('the first group of a pattern, anywhere in the key', () => {
  const truth = truthByPattern('([a-zA-Z]+)\\.png$');
  expect(truth('incoming/p/d/12_cat.png')).toBe('cat');
  expect(truth('incoming/p/d/12.png')).toBeUndefined();
});

test.each([
  ['(?i)/(CAT)/', 'cat'],
  ['(?i)CAT', 'cat'],
  ['(?i)/(dog)/', undefined],
  ['(?i)/(dog)?', undefined],
])('a pattern that only RE2 reads, %s, finds %s', (pattern, label) => {
  expect(truthByPattern(pattern)('d/cat/1.png')).toBe(label);
});

test('a row with quotes where none belong is unreadable, and ends', async () => {
  await expect(lookedUp('labels.csv', 'a"b,"c\n')).rejects.toThrow(LabelFileUnreadable);
});

test('a label file in UTF-16 is read by its mark', async () => {
  const little = Buffer.from('\ufeffkey,label\na.png,Kätzchen\n', 'utf16le');
  for (const text of [little, Buffer.from(little).swap16()]) {
    const rows = (await Array.fromAsync(labelRows('labels.csv', pieces(text, 8)))).flat();
    expect(rows).toMatchObject([{ key: 'a.png', label: 'Kätzchen' }]);
  }
});

test.each([
  ['labels.csv', 'key,label\na.png,cat\nb.png,Kätzchen\n', 3],
  ['labels.csv', 'Kätzchen.png,cat\n', 1],
  ['labels.jsonl', '{"key":"a.png","label":"Kätzchen"}\n', 1],
])(
  'a row that is not UTF-8 is refused, since its name or class would be another: %s %j',
  async (name, text, line) => {
    const reading = Array.fromAsync(labelRows(name, pieces(Buffer.from(text, 'latin1'), 8)));
    await expect(reading).rejects.toThrow(
      `${name}: line ${line} must be text in UTF-8: save the file as such`,
    );
    const held = text.replaceAll('ä', '\ufffd');
    expect(await Array.fromAsync(labelRows(name, pieces(Buffer.from(held), 8)))).not.toEqual([]);
  },
);

test('a pattern that would hang other engines does not', () => {
  expect(truthByPattern('(a+)+$')(`${'a'.repeat(5_000)}!`)).toBeUndefined();
});

test('the engine of JavaScript takes plain patterns alone, and finds in them what RE2 finds', () => {
  const atom = fc.constantFrom(
    ...[
      'a',
      'b',
      '1',
      '/',
      '-',
      '_',
      '.',
      '\\.',
      '\\d',
      '\\w',
      '[a-z]',
      '[^/]',
      '[a-b1_]',
      '[^.]',
      '[a-z-]',
      '\\(',
      'x|y',
      '\\s',
      '[[:alpha:]]',
    ],
  );
  const times = fc.constantFrom('', '', '', '+', '*', '?', '+?', '*?', '??', '{2}', '{1,3}', '{2,}');
  const run = fc
    .array(
      fc.tuple(atom, times).map((pair) => pair.join('')),
      { maxLength: 3 },
    )
    .map((atoms) => atoms.join(''));
  const pattern = fc
    .tuple(
      fc.constantFrom('', '^'),
      run,
      run,
      fc.constantFrom('()', '(?:)', '()+', ''),
      run,
      fc.constantFrom('', '$'),
    )
    .map(
      ([start, first, inner, group, last, end]) =>
        start + first + group.replace(')', `${inner})`) + last + end,
    );
  const key = fc
    .array(fc.constantFrom(...'aab1/-_.(\n\r\u2028é😀xy '), { maxLength: 12 })
    .map((all) => all.join(''));
  let plain = 0;
  fc.assert(
    fc.property(pattern, fc.array(key, { minLength: 4, maxLength: 4 }), (source, keys) => {
      const fast = toPlainPattern(source);
      if (fast === undefined) return;
      plain++;
      const compiled = RE2JS.compile(source);
      for (const each of keys) {
        const matcher = compiled.matcher(each);
        const groups = matcher.find()
          ? [...Array(matcher.groupCount() + 1).keys()].map((at) => matcher.group(at))
          : null;
        expect(fast.exec(each)?.slice() ?? null, source).toEqual(groups);
      }
    }),
    { numRuns: 5000 },
  );
  expect(plain).toBeGreaterThan(500);
});

test.each([
  '(a+)+$',
  '([a-z]+)_([a-z]+)x$',
  '^a*a*a*b',
  'a?a?a?a?aaaa',
  '(a|a)',
  '(?i)cat',
  '\\s',
  '\\pL+',
  '[[:alpha:]]',
  '\\Qa\\E',
])('%s is left to RE2', (pattern) => {
  expect(toPlainPattern(pattern)).toBeUndefined();
});

test.each(['([a-zA-Z]+)\\.png$', '-([a-z]+)\\.jpe?g$', '^[^/]+/([a-z]+)/', '/(\\w+)_\\d{4}\\.'])(
  '%s is plain',
  (pattern) => {
    expect(toPlainPattern(pattern)).toBeDefined();
  },
);

test('the folder below the drop', () => {
  const truth = truthByFolder('incoming/p/d/');
  expect(truth('incoming/p/d/cats/1.png')).toBe('cats');
  expect(truth('incoming/p/d/train/cats/1.png')).toBe('cats');
  expect(truth('incoming/p/d/1.png')).toBeUndefined();
  expect(truth('incoming/p/d//1.png')).toBeUndefined();
});

test.each([
  ['keys below the drop', 'a.png,cat\nsub/b.png,dog\n'],
  ['a header in another order', 'label,split,filename\ncat,x,a.png\ndog,y,sub/b.png\n'],
  ['whole keys', 'key,label\nincoming/p/d/a.png,cat\nincoming/p/d/sub/b.png,dog\n'],
  ['S3 URIs', 's3://data/incoming/p/d/a.png,cat\ns3://data/incoming/p/d/sub/b.png,dog\n'],
  ['Windows line ends and a blank line', 'key,label\r\n./a.png,cat\r\n\r\nsub/b.png,dog'],
  ['the last row of a key', 'a.png,fish\na.png,cat\nsub/b.png,dog\n'],
  ['strangers', 'zzz.png,fish\na.png,cat\nsub/b.png,dog\n'],
  ['spaces after the commas', 'key, label\na.png, cat\n sub/b.png ,dog\n'],
  ['line ends of old Macs', 'key,label\ra.png,cat\rsub/b.png,dog\r'],
  ['a quote within a name', '5" pipe.png,fish\na.png,cat\nsub/b.png, "dog"\n'],
  ['a byte order mark', '\ufeffkey,label\na.png,cat\nsub/b.png,dog\n'],
])('CSV with %s', async (_, text) => {
  expect(await lookedUp('labels.csv', text)).toEqual(['cat', 'dog', undefined]);
});

test('CSV with commas, quotes and line breaks in quotes', async () => {
  expect(await lookedUp('labels.csv', '"c,1.png","a ""big""\ncat"\n')).toEqual([
    undefined,
    undefined,
    'a "big"\ncat',
  ]);
});

test('what stands between quotes is left as it is', async () => {
  expect(await lookedUp('labels.csv', 'a.png," cat"\n')).toEqual([' cat', undefined, undefined]);
});

test('a quote that does not close is found at once, whatever follows it', async () => {
  let read = 0;
  async function* endless() {
    yield Buffer.from('a.png,cat\n"5 pipe.png,dog\n');
    for (; read < 1_000; read++) yield Buffer.from('b.png,cat\n'.repeat(6_000));
  }
  await expect(Array.fromAsync(labelRows('labels.csv', endless()))).rejects.toThrow(
    /line 2 must be a row with closed quotes/,
  );
  expect(read).toBeLessThan(10);
});

test.each(['labels.csv', 'labels.jsonl'])('%s of line breaks is given up', async (name) => {
  let read = 0;
  async function* endless() {
    for (; read < 1_000; read++) yield Buffer.from('\r\n'.repeat(30_000));
  }
  await expect(Array.fromAsync(labelRows(name, endless()))).rejects.toThrow(
    `${name}: must have at most 100000 blank lines`,
  );
  expect(read).toBeLessThan(10);
});

test('JSON Lines without a label for an input', async () => {
  const text = '{"key":"a.png","label":null}\n{"key":"sub/b.png","label":true}\n';
  expect(await lookedUp('labels.jsonl', text)).toEqual([undefined, 'true', undefined]);
});

test.each([
  ['labels.csv', 'a.png,\nb.png,ü\n', [['b.png', undefined, 'ü']]],
  ['labels.jsonl.csv', 'a.png,x', [['a.png', undefined, 'x']]],
  ['labels.csv', 'file,a\nb.png,cat\n', [['b.png', undefined, 'cat']]],
  [
    'labels.csv',
    'a.png,label\nb.png,cat\n',
    [
      ['a.png', undefined, 'label'],
      ['b.png', undefined, 'cat'],
    ],
  ],
  ['labels.csv', 'Key,Index,Label\na.png,12,cat\n', [['a.png', 12, 'cat']]],
  ['labels.csv', 'a.png,cat\n   \n', [['a.png', undefined, 'cat']]],
  [
    'l.NDJSON',
    '{"key":"a","label":"x","index":1}\n \n{"key":"a","label":"y","index":0,"recordIndex":2}\n',
    [
      ['a', 1, 'x'],
      ['a', 2, 'y'],
    ],
  ],
])('%s: the rows of %j', async (name, text, rows) => {
  const choose: ChooseColumns = (head) =>
    decideColumns(head, (cell) => cell.endsWith('.png'), { classes: [], column: null, fields: [] });
  const read = (await Array.fromAsync(labelRows(name, pieces(text, 1), { choose }))).flat();
  expect(read.map(({ key, recordIndex, label }) => [key, recordIndex, label])).toEqual(rows);
});

test('JSON Lines, numbers as indexes', async () => {
  expect(
    await lookedUp('labels.jsonl', '{"key":"a.png","label":"cat"}\n{"key":"sub/b.png","label":3}\n'),
  ).toEqual(['cat', '3', undefined]);
});

test('labels of the records of one object', async () => {
  const text = 'key,index,label\na.png,0,cat\na.png,1,dog\nsub/b.png,0,bird\n';
  const lookup = await lookUp('labels.csv', text, 5, input);
  expect([lookup(KEYS[0]!, 0), lookup(KEYS[0]!, 1), lookup(KEYS[0]!, 2)]).toEqual(['cat', 'dog', undefined]);
});

test('a column that numbers the rows is no place in an input that is one record', async () => {
  const text = 'index,key,label\n0,a.png,cat\n1,sub/b.png,dog\n';
  const images = { ...input, oneRecord: true };
  const lookup = await lookUp('labels.csv', text, 5, images);
  expect([...KEYS, 'stranger'].map((key) => lookup(key, 0))).toEqual(['cat', 'dog', undefined, undefined]);
});

test.each([
  [
    'labels.csv',
    'key,label\na.png\n',
    'labels.csv: line 2 must be a row with columns "key" and "label", is "a.png"',
  ],
  ['labels.csv', 'a.png,"cat\n', 'line 1 must be a row with closed quotes'],
  ['labels.csv', 'a.png,cat\r\n\r\nb.png', 'line 3 must be a row with columns 1 and 2, is "b.png"'],
  ['labels.csv', 'a.png,cat\n,cat\n', 'line 2 must be a row with columns 1 and 2'],
  ['labels.csv', 'label,x,key\ncat\n', 'line 2 must be a row with columns "key" and "label"'],
  ['labels.csv', 'key,index,label\na.png,1x,cat\n', 'line 2 must be a row with columns "key" and "label"'],
  ['labels.csv', 'key,index,label\na.png,x1,cat\n', 'line 2 must be a row with columns "key" and "label"'],
  ['labels.csv', `a.png,cat\n${'x'.repeat(200)}`, `is "${'x'.repeat(120)}"`],
  ['labels.jsonl', '{"key":"a.png"}\n', 'line 1 must be an object with "key" and "label"'],
  ['labels.jsonl', 'a.png,cat\n', 'line 1 must be an object'],
  [
    'labels.jsonl',
    '{"key":"key","label":"cat"}\n{"key":"a.png","label":"cat","l\\u0061bel":"dog"}\n',
    'line 2 must be an object that has each name once',
  ],
])('%s that cannot be read names the line: %j', async (name, text, message) => {
  const reading = lookedUp(name, text, 1);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toMatchObject({ name: 'LabelFileUnreadable', file: name });
});

test('a literal longer than the engine of JavaScript takes is left to RE2', () => {
  expect(toPlainPattern('a'.repeat(200_000))).toBeUndefined();
});

test.each(['labels.csv', 'labels.jsonl'])(
  'a line of %s without end is reported and ends the reading',
  async (name) => {
    let read = 0;
    async function* endless() {
      for (; read < 1_000; read++) yield Buffer.alloc(65_536, 'x');
    }
    await expect(Array.fromAsync(labelRows(name, endless()))).rejects.toThrow(
      /line 1 must have at most 65536 bytes/,
    );
    expect(read).toBeLessThan(10);
  },
);

test('a file of line ends alone is given up in seconds', async () => {
  async function* ends() {
    for (let at = 0; at < 60; at++) yield Buffer.alloc(65_536, '\r');
  }
  const seconds = await cpuSeconds(async () =>
    expect(Array.fromAsync(labelRows('labels.csv', ends()))).rejects.toThrow('at most 100000 blank lines'),
  );
  expect(seconds).toBeLessThan(5);
});

test.each([
  ['$.label', { label: ' cat ' }, 'cat'],
  ['$.label', { label: '  ' }, undefined],
  ['$.label', { label: 3 }, '3'],
  ['$.label', { label: false }, 'false'],
  ['$.label', { label: null }, undefined],
  ['$.label', { label: ['cat'] }, undefined],
  ['$.label', {}, undefined],
  ['$[-1]', ['1', 'dog'], 'dog'],
  ['$[0]', undefined, undefined],
])('%s in %j is the label %s', (text, record, label) => {
  const path = parseJsonPath(text);
  if ('reason' in path) throw new Error(path.reason);
  expect(truthInRecord(record, path)).toBe(label);
});

test.each([
  ['labels.csv', 'shift,key,label,who\n"day, early",a.png,cat,\n night ,b.png,dog,Ada\n'],
  [
    'labels.jsonl',
    '{"shift":"day, early","key":"a.png","label":"cat"}\n{"key":"b.png","label":"dog","shift":"night","who":"Ada","more":[1]}\n',
  ],
])('further columns of %s go with the rows', async (name, text) => {
  const rows = await Array.fromAsync(labelRows(name, pieces(text, 7), { fields: ['who', 'shift'] }));
  expect(rows.flat().map(({ key, label, fields }) => [key, label, fields])).toEqual([
    ['a.png', 'cat', ['', 'day, early']],
    ['b.png', 'dog', ['Ada', 'night']],
  ]);
});

test('numbers and booleans of JSON are text, and a list is refused with its line', async () => {
  const read = (cell: string) =>
    Array.fromAsync(
      labelRows('labels.jsonl', pieces(`{"key":"a","label":"cat","at":${cell}}\n`, 9), { fields: ['at'] }),
    );
  for (const [cell, text] of [
    ['3.5', '3.5'],
    ['true', 'true'],
    ['null', ''],
  ] as const)
    expect((await read(cell)).flat()[0]?.fields).toEqual([text]);
  await expect(read('[1]')).rejects.toThrow(
    'labels.jsonl: line 1 must be a text, number, boolean or null in "at"',
  );
});

test.each([
  ['labels.csv', 'key,label,Shift\na,cat,day\n', 'it has "key", "label", "Shift"'],
  ['labels.csv', 'a,cat\n', 'it has no header'],
  ['labels.jsonl', '{"key":"a","label":"cat"}\n', 'it has "key", "label"'],
])('a column that %s lacks is named, with those that it has', async (name, text, has) => {
  await expect(Array.fromAsync(labelRows(name, pieces(text, 5), { fields: ['shift'] }))).rejects.toThrow(
    `${name}: must have the column "shift", ${has}`,
  );
});

test('a column that is there twice is refused, for either could be meant; one that is not asked for may be', async () => {
  const read = (fields: readonly string[]) =>
    Array.fromAsync(
      labelRows('labels.csv', pieces('key,label,shift,who,shift\na,cat,day,Ada,night\n', 9), { fields }),
    );
  await expect(read(['shift'])).rejects.toThrow(
    'labels.csv: must have the column "shift" once, has it 2 times',
  );
  expect((await read(['who'])).flat()[0]?.fields).toEqual(['Ada']);
});

test('a field named as a property of every object is one only where a line has it', async () => {
  const text = '{"key":"a","label":"cat"}\n{"key":"b","label":"dog","constructor":"Volvo"}\n';
  const rows = await Array.fromAsync(labelRows('labels.jsonl', pieces(text, 9), { fields: ['constructor'] }));
  expect(rows.flat().map(({ fields }) => fields)).toEqual([[''], ['Volvo']]);
});
