import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { cellText, csvCells } from '../cells.ts';
import { type Cut, readRecords, recordsOf, RecordUnreadable } from '../record-cutter.ts';
import { type DrawnTable, readDrawn } from './support/drawn-table.ts';
import { random } from './support/random.ts';

const texts = (text: string, cut: Cut) => Array.from(recordsOf(text, cut), ({ bytes }) => bytes.toString());

describe('tables drawn by lab/draw_tables.py, in odd chunks', () => {
  const tables = readFileSync(path.join(import.meta.dirname, 'fixtures', 'tables.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as DrawnTable);

  test('have the records, cells and lines that Python reads', () => {
    const next = random(1);
    for (const table of tables)
      expect(readDrawn(table, next)).toEqual(
        table.strict?.map((record) => ({ ...record, isInPlace: true })) ?? null,
      );
    expect(tables.filter(({ strict }) => strict === null).length).toBeGreaterThan(3);
  });

  test('read leniently have the rows of csv.reader', () => {
    const next = random(2);
    for (const table of tables)
      expect(readDrawn(table, next, { lenient: true })?.map(({ cells }) => cells)).toEqual(table.lenient);
  });
});

test('JSON Lines end at any line end, and quotes mean nothing', () => {
  expect(texts('\ufeff{"a": "\n\r\n \t\n1\r2', { notation: 'lines' })).toEqual(['{"a": "', '1', '2']);
});

test('a record that has no end is refused with its line and beginning, after the records before it', () => {
  const read: string[] = [];
  const reading = () => {
    for (const { bytes } of recordsOf('a\n\nb,"c\nd', { notation: 'csv' })) read.push(bytes.toString());
  };
  expect(reading).toThrow(expect.objectContaining({ name: 'RecordUnreadable', line: 3, head: 'b,"c\nd' }));
  expect(read).toEqual(['a']);
});

test.each(['x'.repeat(300), `"${'x\n'.repeat(150)}"`, `"${'x\n'.repeat(90)}`])(
  'a record beyond the cap is refused, however it comes: %j',
  async (text) => {
    for (const size of [1, 7, 1_000]) {
      let given = 0;
      const chunks = async function* () {
        const bytes = Buffer.from(`1\n${text}\n2\n`);
        for (let at = 0; at < bytes.length; at += size, given++) yield bytes.subarray(at, at + size);
      };
      const reading = Array.fromAsync(readRecords(chunks(), { notation: 'csv', maxBytes: 100 }));
      await expect(reading).rejects.toThrow(RecordUnreadable);
      if (size < 100) expect(given * size).toBeLessThan(120);
    }
  },
);

test('a delimiter may be longer than a byte', () => {
  const [record = ''] = texts('a§"b§\nc"§d', { notation: 'csv', delimiter: '§' });
  expect(csvCells(record, '§').map(cellText)).toEqual(['a', 'b§\nc', 'd']);
});
