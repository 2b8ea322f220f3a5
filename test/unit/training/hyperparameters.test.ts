import { expect, test } from 'vitest';
import { hyperparameterProblems, toHyperparameter } from '../../../src/training/hyperparameters.ts';

// By Python: json.dumps(value).
test.each<[unknown, string]>([
  [60, '60'],
  [0.001, '0.001'],
  ['gloo', '"gloo"'],
  [true, 'true'],
  [null, 'null'],
  ['Größe', '"Gr\\u00f6\\u00dfe"'],
  ['😀', '"\\ud83d\\ude00"'],
  [[1, [2, 'x']], '[1, [2, "x"]]'],
  [{ a: 1, b: { c: [] } }, '{"a": 1, "b": {"c": []}}'],
])('%j is sent as the Python SDK does', (value, text) => {
  expect(toHyperparameter(value)).toBe(text);
  expect(JSON.parse(text)).toEqual(value);
});

const problems = (values: Record<string, unknown>): string[] =>
  hyperparameterProblems({ file: 'job.json', field: 'hyperparameters', values }).map(
    ({ message }) => message,
  );

test('names become arguments of the script', () => {
  expect(problems({ 'batch-size': 1, lr_2: 1, 'a.b': 1 })).toEqual([]);
  expect(problems({ 'a b': 1 })[0]).toContain('because it becomes the argument --a b');
  expect(problems({ '-x': 1, 'a=b': 1, [`n${'x'.repeat(256)}`]: 1, '': 1 })).toHaveLength(4);
});

test.each(['model_dir', 'model-dir', 'model_di', 'model_d', 'sm-model-dir'])(
  '%s, where the model belongs, is set by the pipeline alone',
  (name) => {
    expect(problems({ [name]: 's3://bucket/elsewhere' })).toEqual([
      expect.stringContaining("which is the pipeline's to decide"),
    ]);
    const own = {
      file: 'pipeline.json',
      field: 'training.hyperparameters',
      values: { [name]: 'x' },
    } as const;
    expect(hyperparameterProblems(own)).toEqual([]);
    expect(problems({ model: 'resnet', 'model-depth': 3 })).toEqual([]);
  },
);

test('values that no argument can hold are refused wherever they are', () => {
  expect(problems({ a: { b: ['x\0y'] }, c: [2 ** 53] })).toHaveLength(2);
});

test('SageMaker takes a hundred, the toolkit needs some', () => {
  const values = Object.fromEntries(Array.from({ length: 91 }, (_, at) => [`n${at}`, at]));
  expect(problems(values)).toEqual([expect.stringContaining('must have at most 90 names, has 91')]);
});
