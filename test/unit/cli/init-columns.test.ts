import { expect, test } from 'vitest';
import { columnChoices } from '../../../src/cli/init/truth-of-columns.ts';
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
