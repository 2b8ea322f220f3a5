import { expect, test } from 'vitest';
import { terminalMatrix } from '../../../src/report/terminal/terminal-matrix.ts';
import { terminalMix } from '../../../src/report/terminal/terminal-mix.ts';
import { syntheticReport } from '../../support/synthetic-report.ts';
import { unjudgedReport } from '../../support/unjudged-report.ts';

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

/** Records by class: the first is recognized in three of four cases, the second always. */
const small = syntheticReport(2, 10);
const pets = {
  classes: small.classes.map((each, at) => ({ ...each, support: [4, 1_000][at]! })),
  confusion: [
    [0, 0, 3],
    [0, 1, 1],
    [1, 1, 1_000],
  ] satisfies [number, number, number][],
};

test('rows are the truth, columns the prediction, and colors tell right from wrong', () => {
  const paint = {
    right: (text: string) => `+${text}`,
    wrong: (text: string) => `-${text}`,
    muted: (text: string) => `(${text})`,
  };
  expect(terminalMatrix(pets, paint).split('\n')).toEqual([
    '    (  cat  dog)',
    'cat +   75-   25  (4)',
    'dog (    ·)+  100  (1,000)',
    '(rows: truth, columns: prediction, % of the row)',
  ]);
});

test('the longest number of records decides whether the matrix fits', () => {
  const widest = 'dog     ·  100  1,000'.length;
  expect(terminalMatrix(pets, PLAIN, widest)).toContain('dog     ·  100  1,000');
  expect(terminalMatrix(pets, PLAIN, widest - 1)).toMatch(/^most frequent confusions\n/);
});

test('sixteen classes are shown as a matrix, seventeen as the list of confusions', () => {
  expect(terminalMatrix(syntheticReport(16, 500))).toMatch(/% of the row$/);
  expect(terminalMatrix(syntheticReport(17, 500))).toMatch(/^most frequent confusions\n/);
});

test('a run without truth has no matrix', () => {
  expect(terminalMatrix(unjudgedReport(2, 10))).toBe('');
});

test('a long name is cut', () => {
  const classes = pets.classes.map((each, at) => ({ ...each, name: ['i'.repeat(30), 'a'.repeat(30)][at]! }));
  const names = terminalMatrix({ ...pets, classes })
    .split('\n')
    .slice(1, 3)
    .map((line) => line.trim().split(' ')[0]);
  // A narrow name has the room for more characters than fourteen, and none more is shown.
  expect(names).toEqual(['i'.repeat(14), `${'a'.repeat(13)}…`]);
});

test.each([
  ['airplane automobile', 'airp auto', 'airplane automobile'],
  ['class_0 class_1 class_10', '0 1 10', 'class_0 class_1 class_10'],
  ['LABEL_10 LABEL_1', '10 1', 'LABEL_10 LABEL_1'],
  ['digit1 digit2', '1 2', 'digit1 digit2'],
  ['type-of-lesion-benign type-of-lesion-malignant', 'beni mali', '…benign …malignant'],
  ['wasp was', 'wasp was', 'wasp was'],
  ['automobile automatic', '0 1', '0 automobile 1 automatic'],
  ['n01440764 n01440765', '0 1', '0 n01440764 1 n01440765'],
  ['n01440764 n01440765 x1', '0 1 2', '0 n01440764 1 n01440765 2 x1'],
])('headings of the classes %s tell them apart: %s', (names, headings, rows) => {
  const classes = names.split(' ').map((name) => ({ ...small.classes[0]!, name, support: 1 }));
  const confusion = classes.map((_, at): [number, number, number] => [at, at, 1]);
  const [head = '', ...lines] = terminalMatrix({ classes, confusion }).split('\n');
  expect(head.trim().split(/ +/)).toEqual(headings.split(' '));
  const shown = lines.slice(0, -1).map((line) => line.replace(/ +[·1][·10 ]*$/, '').trim());
  expect(shown.join(' ')).toBe(rows);
});

test('of the predicted classes the ten most frequent are listed, and how many more there are', () => {
  const classes = Array.from({ length: 1_012 }, (_, at) => ({
    ...small.classes[0]!,
    name: `class ${at}`,
    predicted: 0,
    predictedUnlabeled: at < 11 ? 100 - 2 * at : 0,
  }));
  // 100, 98 … 80: 990 in all.
  const lines = terminalMix({ classes }).split('\n');
  expect(lines).toHaveLength(12);
  expect(lines[1]).toBe('100   10.1%  class 0');
  expect(lines[2]).toBe(' 98    9.9%  class 1');
  expect(lines[10]).toBe(' 82    8.3%  class 9');
  expect(lines[11]).toBe('and 1,002 more, less often or never');
  expect(terminalMix({ classes: classes.slice(0, 10) }).split('\n')).toHaveLength(11);
});

test('where every record has a truth no predicted classes are listed', () => {
  expect(terminalMix(small)).toBe('');
});
