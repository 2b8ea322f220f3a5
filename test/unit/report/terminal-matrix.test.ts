import { expect, test } from 'vitest';
import { terminalMatrix } from '../../../src/report/terminal-matrix.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';

const PLAIN = { right: String, wrong: String, muted: String };
const ten = syntheticReport(10, 500);

test('a terminal too narrow for the matrix gets the list of confusions', () => {
  expect(terminalMatrix(ten, PLAIN, 80)).toBe(terminalMatrix(ten));
  expect(terminalMatrix(ten, PLAIN, 40)).toMatch(/^most frequent confusions\n/);
});

test('a matrix is shown as soon as its longest line fits', () => {
  const lines = terminalMatrix(ten).split('\n');
  const width = Math.max(...lines.map((line) => line.length));
  expect(terminalMatrix(ten, PLAIN, width)).toBe(lines.join('\n'));
  expect(terminalMatrix(ten, PLAIN, width - 1)).toMatch(/^most frequent confusions\n/);
});

test('many classes without a confusion get a line that says so', () => {
  const perfect = syntheticReport(100, 500);
  const confusion = perfect.confusion.filter(([truth, predicted]) => truth === predicted);
  expect(terminalMatrix({ ...perfect, confusion })).toBe('no confusions: every record is right');
});

test('no character is cut in half', () => {
  const classes = ten.classes.map((each, at) => (at === 0 ? { ...each, name: 'cat🐈🐕' } : each));
  expect(terminalMatrix({ ...ten, classes }).isWellFormed()).toBe(true);
});
