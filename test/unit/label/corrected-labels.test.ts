import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Correction, correctLabels, headOf, labelsCsv } from '../../../src/label/corrected-labels.ts';
import { decideColumns } from '../../../src/label/label-columns.ts';
import { labelRows } from '../../../src/label/label-rows.ts';
import { NameForm } from '../../../src/label/truth-in-file.ts';

const place = { bucket: 'bucket', prefix: 'incoming/p/d/' };
const AT = '2026-03-01T12:00:00.000Z';
const correction = (key: string, label: string, recordIndex?: number): Correction => ({
  key: `${place.prefix}${key}`,
  label,
  recordIndex,
  by: 'ann',
  at: AT,
  how: 'blind',
});
const asked = { classes: ['cat', 'dog'], column: null, fields: [] };
const columnsOf = (text: string) => decideColumns(headOf(text), (cell) => cell.endsWith('.png'), asked);
const correct = (text: string, corrections: Correction[], name = 'labels.csv') =>
  correctLabels({ name, text, place, form: formOf(corrections), columns: columnsOf(text) }, corrections);
const formOf = (corrections: readonly Correction[]) => {
  const form = new NameForm(place.prefix);
  for (const { key } of corrections) form.add(key);
  return form;
};

test('rows that were reviewed get label, person and time; further columns and other rows stay', async () => {
  const text =
    'site,file,label,note\r\nB,a.png,cat,"x, ""y"""\r\nC,incoming/p/d/b.png,dog,\r\nA,s3://bucket/incoming/p/d/c.png,cat,z\r\n';
  expect(correct(text, [correction('c.png', 'dog'), correction('a.png', 'cat')])).toBe(
    'site,file,label,note,reviewed_by,reviewed_at,reviewed_how\r\n' +
      `B,a.png,cat,"x, ""y""",ann,${AT},blind\r\n` +
      'C,incoming/p/d/b.png,dog,,,,\r\n' +
      `A,s3://bucket/incoming/p/d/c.png,dog,z,ann,${AT},blind\r\n`,
  );
});

test('a row that writes an accent in another way than the name is the row of that name', () => {
  expect(
    correct(`key,label\n${'é'.normalize('NFC')}.png,cat\n`, [
      correction(`${'é'.normalize('NFD')}.png`, 'dog'),
    ]),
  ).toBe(`key,label,reviewed_by,reviewed_at,reviewed_how\n${'é'.normalize('NFC')}.png,dog,ann,${AT},blind\n`);
});

test('a second review writes over the person and time of the first, and adds no columns', async () => {
  const once = correct('key,label\na.png,cat\n', [correction('a.png', 'dog')]);
  const twice = correct(once, [{ ...correction('a.png', 'cat'), by: 'bob' }]);
  expect(twice).toBe(`key,label,reviewed_by,reviewed_at,reviewed_how\na.png,cat,bob,${AT},blind\n`);
});

test('a file whose titles nobody knows can be read after a review as before', () => {
  const once = correct('photo,species\na.png,cat\nb.png,dog\n', [correction('a.png', 'dog')]);
  expect(columnsOf(once)).toMatchObject({ key: 0, label: 1 });
});

test('the line by which Excel knows what is between cells stays the first', () => {
  expect(correct('sep=;\nkey;label\na.png;cat\n', [correction('a.png', 'dog')])).toBe(
    `sep=;\nkey;label;reviewed_by;reviewed_at;reviewed_how\na.png;dog;ann;${AT};blind\n`,
  );
});

test('a file without a header gets one, and a record without a row a row', async () => {
  expect(correct('a.png,cat\n', [correction('x/"b", c.png', 'dog')])).toBe(
    `key,label,reviewed_by,reviewed_at,reviewed_how\na.png,cat,,,\n"x/""b"", c.png",dog,ann,${AT},blind\n`,
  );
});

test('a table with a column for each class gets a 1 in another one, and semicolons stay', async () => {
  expect(correct('photo;cat;dog\na.png;1;0\nb.png;0;1\n', [correction('a.png', 'dog')])).toBe(
    `photo;cat;dog;reviewed_by;reviewed_at;reviewed_how\na.png;0;1;ann;${AT};blind\nb.png;0;1;;;\n`,
  );
});

test('a file in which no column is that of the labels is refused', async () => {
  expect(() => correct('photo,label,class\na.png,cat,dog\n', [correction('a.png', 'dog')])).toThrow(
    'labels.csv: has 2 columns of labels, "label" and "class": name one in labels.truth.column',
  );
});

test('cells beyond the titles stay, and are nobody who has reviewed', async () => {
  expect(correct('key,label\na.png,cat\nb.png,dog,B,"x, y"\n', [correction('a.png', 'dog')])).toBe(
    `key,label,column_3,column_4,reviewed_by,reviewed_at,reviewed_how\na.png,dog,,,ann,${AT},blind\nb.png,dog,B,"x, y",,,\n`,
  );
});

test('records of a file are told apart by their index', async () => {
  const text = 'key,index,label\nt.csv,0,cat\nt.csv,1,cat\n';
  expect(correct(text, [correction('t.csv', 'dog', 1), correction('t.csv', 'cow', 2)])).toBe(
    `key,index,label,reviewed_by,reviewed_at,reviewed_how\nt.csv,0,cat,,,\nt.csv,1,dog,ann,${AT},blind\nt.csv,2,cow,ann,${AT},blind\n`,
  );
  expect(() => correct('key,label\nt.csv,cat\n', [correction('t.csv', 'dog', 1)])).toThrow(
    'labels.csv: must have a column index',
  );
});

test('lines of JSON keep their fields', async () => {
  const text = '{"key": "a.png", "label": "cat", "site": {"x": 1}}\n\n{"key": "b.png", "label": null}\n';
  expect(correct(text, [correction('a.png', 'dog'), correction('c.png', 'cow')], 'labels.jsonl')).toBe(
    `{"key":"a.png","label":"dog","site":{"x":1},"reviewed_by":"ann","reviewed_at":"${AT}","reviewed_how":"blind"}\n` +
      '{"key": "b.png", "label": null}\n' +
      `{"key":"c.png","label":"cow","reviewed_by":"ann","reviewed_at":"${AT}","reviewed_how":"blind"}\n`,
  );
  expect(() => correct('[1]\n', [], 'labels.jsonl')).toThrow(
    'labels.jsonl: row 1 must be an object with "key"',
  );
});

async function labelsOf(name: string, text: string): Promise<Map<string, string>> {
  const rows = await Array.fromAsync(labelRows(name, Readable.from([Buffer.from(text)])));
  return new Map(rows.flat().map(({ key, label }) => [key, label]));
}

test('whatever names and labels are, the product reads back what was written', async () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((one) => one.toWellFormed());
  const name = text.filter((one) => !/^[./]|^s3:|\0|^incoming/.test(one));
  const label = text.filter((one) => one.trim() !== '' && !one.includes('\0'));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name, label, label), { selector: ([key]) => key, minLength: 1, maxLength: 6 }),
      async (all) => {
        const labels = all.map(([key, one]) => ({
          key: place.prefix + key,
          recordIndex: undefined,
          label: one,
        }));
        const before = labelsCsv(labels, { prefix: place.prefix, oneRecord: true });
        const [first] = all;
        const after = correct(before, [correction(first![0], first![2])]);
        expect(await labelsOf('labels.csv', before)).toEqual(new Map(all.map(([key, one]) => [key, one])));
        expect(await labelsOf('labels.csv', after)).toEqual(
          new Map(all.map(([key, one, other], at) => [key, at === 0 ? other : one])),
        );
      },
    ),
  );
});
