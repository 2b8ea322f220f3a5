import { expect, test } from 'vitest';
import { columnChoices } from '../../../src/cli/init/truth-of-columns.ts';
import { titledLabels } from '../../../src/init/label-column.ts';
import { onnxFacts } from '../../../src/init/onnx-facts.ts';

const TITLES = ['species', 'petal width (cm)', 'sepal length (cm)', 'note', 'who'];
const ROWS = Array.from({ length: 5 }, (_, at) => ['ab'[at % 2] ?? '', `${at}.5`, '2.5', 'fine', `P${at}`]);
const LABEL = { at: 0, labels: [] };
const choose = (wanted?: readonly string[]) =>
  columnChoices('iris', { titles: TITLES, rows: ROWS }, LABEL, wanted?.length, wanted);
const inputs = (...names: string[]) =>
  onnxFacts({
    inputs: names.map((name) => ({ name, kind: 'tensor', type: 'float32', shape: ['N', 1] })),
    outputs: [],
    operators: new Map(),
    classes: null,
  }).columns;

test('a model with an input for each column takes them by their names, as converters write them', () => {
  const { choices, places } = choose(inputs('sepal_length__cm_', 'petal_width__cm_'));
  expect(places).toEqual([2, 1]);
  expect(choices).toEqual([
    {
      field: 'columns.features',
      value: ['sepal length (cm)', 'petal width (cm)'],
      reason: 'as the model names its inputs; each row is an input',
    },
    { field: 'columns.id', value: 'who', reason: '5 different texts; shown in reports, not sent' },
    { field: 'columns.ignore', value: ['note'], reason: 'not sent' },
  ]);
});

test.each([
  ['', 'who', ['note']],
  ['', '', ['note']],
])('a column without a title, as of an index of pandas, is left alone: %j, %j', (first, last, ignore) => {
  const titles = [first, ...TITLES.slice(0, 4), last];
  const rows = ROWS.map((row, at) => [`${at}`, ...row]);
  const { choices, places } = columnChoices('iris', { titles, rows }, { at: 1, labels: [] }, 2, [
    'petal width (cm)',
    'sepal length (cm)',
  ]);
  expect(places).toEqual([2, 3]);
  expect(choices.slice(1).map(({ field, value }) => [field, value])).toEqual([
    ...(last === '' ? [] : [['columns.id', 'who']]),
    ['columns.ignore', ignore],
  ]);
});

test('a column that the model names must be there', () => {
  expect(() => choose(inputs('sepal length (cm)', 'petal length (cm)'))).toThrow(
    'tables of iris must have a column for each input of the model, and "petal length (cm)" is not there',
  );
});

test.each([[undefined], [inputs('x0', 'x1')], [inputs('X')]])(
  'names that say nothing leave the order of the file: %j',
  (wanted) => {
    expect(choose(wanted).places).toEqual([1, 2]);
  },
);

test.each([
  [['0', '1', '1'], true],
  [['0.0', '1.0', '1.'], true],
  [['0', '1.0', '0'], true],
  [['0.5', '1.0', '1.0'], false],
  [['0.0', '3.0', '1.0'], false],
])('classes by number, as pandas writes those of a column with gaps: %j', (labels, isLabel) => {
  const rows = labels.map((label, at) => [`${at}.5`, label]);
  expect(titledLabels(rows, 2)).toEqual(isLabel ? [{ at: 1, labels }] : []);
});
