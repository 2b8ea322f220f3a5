import { expect, test } from 'vitest';
import { onnxFacts } from '../../../src/init/onnx-facts.ts';

const tensor = (name: string, type: string, shape: readonly (number | string | null)[]) => ({
  name,
  kind: 'tensor',
  type,
  shape,
});
const FACTS = {
  inputs: [tensor('x', 'float32', ['N', 3, 32, 24])],
  outputs: [tensor('y', 'float32', ['N', 10])],
  operators: new Map([['', ['Conv', 'Gemm']]]),
  classes: null,
};

test('a network of images: its classes, its size, and that nothing makes probabilities of its scores', () => {
  expect(onnxFacts(FACTS)).toEqual({
    classes: 10,
    isSingle: false,
    isRegression: false,
    names: null,
    areLogits: true,
    takes: 'x: float32 [N, 3, 32, 24]',
    cells: 3 * 32 * 24,
    image: { height: 32, width: 24, channels: 3, isBytes: false },
  });
  const bytes = onnxFacts({ ...FACTS, inputs: [tensor('x', 'uint8', [1, 32, 24, 1])] });
  expect(bytes.image).toEqual({ height: 32, width: 24, channels: 1, isBytes: true });
});

test.each([
  ['Softmax', { operators: new Map([['', ['Gemm', 'Softmax']]]) }, false],
  ['a classifier of a converter', { operators: new Map([['ai.onnx.ml', ['LinearClassifier']]]) }, false],
])('%s gives probabilities', (_, changes, areLogits) => {
  expect(onnxFacts({ ...FACTS, ...changes }).areLogits).toBe(areLogits);
});

test('names of classes in the model count them; open sizes and several inputs tell nothing', () => {
  expect(onnxFacts({ ...FACTS, classes: ['no', 'yes'] })).toMatchObject({ classes: 2, names: ['no', 'yes'] });
  const open = onnxFacts({
    ...FACTS,
    inputs: [tensor('x', 'float32', ['N', 3, 'H', 'W'])],
    outputs: [tensor('y', 'float32', ['N', 'C'])],
  });
  expect(open).toMatchObject({ classes: undefined, cells: undefined, image: undefined });
  expect(onnxFacts({ ...FACTS, inputs: [...FACTS.inputs, ...FACTS.inputs] })).toMatchObject({
    cells: undefined,
    image: undefined,
  });
});

test('an input for each column takes a cell of a row', () => {
  const inputs = ['age', 'fare'].map((name) => tensor(name, 'float32', [null, 1]));
  expect(onnxFacts({ ...FACTS, inputs }).cells).toBe(2);
});

test.each([
  ['one number', tensor('y', 'float32', ['N', 1]), null, true],
  ['a number of rank 1', tensor('y', 'float32', ['N']), null, true],
  ['two scores', tensor('y', 'float32', ['N', 2]), null, false],
  ['a class', tensor('y', 'int64', ['N']), null, false],
  ['the second of two classes', tensor('y', 'float32', ['N', 1]), ['no', 'yes'], false],
])('%s', (_, output, classes, isSingle) => {
  expect(onnxFacts({ ...FACTS, outputs: [output], classes }).isSingle).toBe(isSingle);
});

test.each([
  ['a forest of numbers', ['TreeEnsembleRegressor'], [], true],
  ['a scaler before it', ['Scaler', 'LinearRegressor'], ['Identity'], true],
  ['a classifier', ['TreeEnsembleClassifier'], [], false],
  ['trees under a sigmoid', ['TreeEnsembleRegressor'], ['Sigmoid'], false],
  ['a network', [], ['Gemm'], false],
])('the graph tells a regression from one number a record: %s', (_, ofLibraries, used, isRegression) => {
  const operators = new Map([
    ['ai.onnx.ml', ofLibraries],
    ['', used],
  ]);
  const outputs = [tensor('y', 'float32', ['N', 1])];
  expect(onnxFacts({ ...FACTS, outputs, operators }).isRegression).toBe(isRegression);
});
