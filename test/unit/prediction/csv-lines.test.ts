import { expect, test } from 'vitest';
import { readCsvLines } from '../../../src/prediction/csv-lines.ts';
import { readOutput } from '../../../src/prediction/read-output.ts';
import { cpuSeconds } from '../../support/cpu-seconds.ts';

const shape = { scoreCount: 3, oneRecord: false };
const scores = (text: string) => {
  const read = readCsvLines(text, shape);
  return read && Array.from(read.each, (prediction) => [...(prediction.scores as number[])]);
};

test('a row of numbers is a record’s scores', () => {
  expect(scores('0.1,0.7,0.2\n')).toEqual([[0.1, 0.7, 0.2]]);
  expect(scores('1e-3, .5,+2.\r\n-1,nan,-inf\n\n')).toEqual([
    [0.001, 0.5, 2],
    [-1, Number.NaN, -Infinity],
  ]);
  expect(scores('\n\n1\t, +inf ,-NaN\n0, -inf,nan \n\n.5,-0.25,Infinity')).toEqual([
    [1, Infinity, Number.NaN],
    [0, -Infinity, Number.NaN],
    [0.5, -0.25, Infinity],
  ]);
  expect(readCsvLines('1,2,3\r\n\r\n \n4,5,6\r\n', shape)?.count).toBe(2);
  expect(readOutput(Buffer.from('0.1,0.7,0.2\n0.2,0.2,0.6\n'), shape)).toHaveLength(2);
});

test.each([
  '3\n1\n',
  '[0.1,0.7,0.2]',
  '{"predictions": [[1,2,3]]}',
  '0.1,cat,0.2',
  '0.1,0.2,0.3\nfour',
  '',
  '1,,2',
  '0.1,0.2,0.3\n4\n',
  '0.1,0.2,0.3,',
  '1 2,3',
])('%j is something else', (text) => {
  expect(readCsvLines(text, shape)).toBeUndefined();
});

test('a row whose length differs from the number of classes is refused for it', () => {
  expect(() => [...readCsvLines('0.5,0.5\n', shape)!.each]).toThrow(/expect 3 .*has 2/);
});

test('digits that go on and on are refused as soon as they are read', async () => {
  const row = `${'1'.repeat(200_000)}x,1,2`;
  expect(await cpuSeconds(() => expect(scores(row)).toBeUndefined())).toBeLessThan(1);
});
