import { expect, test } from 'vitest';
import { CountPacker } from '../../../src/metric/packed-counts.ts';
import type { MatrixData } from '../../../src/report/page/matrix-data.ts';
import { pageData } from '../../../src/report/page/page-data.ts';
import { shareText } from '../../../src/report/text/share-text.ts';
import { readMatrix, type Words } from '../../../web/matrix/matrix.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

/** Three classes; the last has no record, and was predicted. */
const CELLS = [
  [0, 0, 1_999],
  [0, 1, 1],
  [1, 0, 300],
  [1, 1, 100],
  [1, 2, 600],
] as const;
const DATA: MatrixData = {
  names: ['owl 10', 'owl 9', 'kite'],
  support: [2_000, 1_000, 0],
  predicted: [2_299, 101, 600],
  cells: packed(CELLS.map(([t, p, count]) => [t * 3 + p, count])),
  similar: [2, 0, 1],
};
const matrix = readMatrix(DATA);
const sentence = (words: readonly Words[]) =>
  words.map((part) => (typeof part === 'string' ? part : part.strong)).join('');

function packed(counts: readonly (readonly [number, number])[]): string {
  const packer = new CountPacker();
  for (const [index, count] of counts) packer.add(index, count);
  return packer.finish();
}

test('the counts are those that were packed, of any size', () => {
  const counts = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 + 1, 2 ** 52].map(
    (count, at) => [at * 200, count] as const,
  );
  const names = Array.from({ length: 41 }, (_, at) => `${at}`);
  const read = readMatrix({ names, support: [], predicted: [], similar: [], cells: packed(counts) });
  expect([...read.counts]).toEqual(counts);
});

test('the data of a page is the confusion matrix of its report', () => {
  const report = syntheticReport(100, 3_000);
  const text = /id="data">(.*)<\/script>/.exec(pageData(report).markup)![1]!;
  const read = readMatrix(JSON.parse(text));
  const cells = [...read.counts].map(([at, count]) => [Math.floor(at / 100), at % 100, count]);
  expect(cells).toEqual(report.confusion);
});

test('the classes stand as listed, by similarity, by recall or by name', () => {
  expect(matrix.orders).toEqual({
    listed: [0, 1, 2],
    similar: [2, 0, 1],
    recall: [1, 0, 2],
    name: [2, 1, 0],
  });
});

test.each([
  ['row', 0.3],
  ['col', 300 / 2_299],
  ['all', 0.1],
] as const)('a cell is a share of its %s, and as long as the cells of the page', (unit, share) => {
  expect(matrix.share(1, 0, unit)).toBeCloseTo(share, 12);
  expect(matrix.text(1, 0, unit)).toBe(shareText(share));
  expect(matrix.text(2, 0, unit)).toBe('');
});

test('a cell of counts is a number, or empty', () => {
  expect([matrix.text(0, 0, 'count'), matrix.text(2, 2, 'count')]).toEqual(['1999', '']);
  expect(matrix.share(1, 0, 'count')).toBe(0.3);
});

test.each([
  [
    0,
    0,
    'owl 10 recognized: 1,999 of 2,000 records of the class (>99.9%), 87% of all called so, 67% of all.',
  ],
  [1, 2, 'owl 9 taken for kite: 600 of 1,000 records of the class (60%), 100% of all called so, 20% of all.'],
  [2, 1, 'kite taken for owl 9: 0 of 0 records of the class.'],
])('cell %d, %d is told: %3$s', (truth, predicted, text) => {
  expect(sentence(matrix.words(truth, predicted))).toBe(text);
});
