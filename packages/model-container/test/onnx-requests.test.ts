import { describe, expect, test } from 'vitest';
import { readNpy, writeNpy } from '../onnx/npy.ts';
import { readCsv } from '../onnx/read-csv.ts';
import { readJson, readJsonLines } from '../onnx/read-json.ts';
import { RequestRefused } from '../onnx/request-refused.ts';
import { writerOf } from '../onnx/write-answer.ts';

const ROW = { name: 'x', dtype: 'float32', shape: [-1, 2] } as const;
const COUNT = { name: 'n', dtype: 'int64', shape: [-1, 1] } as const;
const IMAGE = { name: 'pixels', dtype: 'float32', shape: [-1, 1, 2, 2] } as const;

const shapeOf = (tensors: ReturnType<typeof readJson>, name = 'x') => tensors.get(name)!.shape;
const numbersOf = (tensors: ReturnType<typeof readJson>, name = 'x') =>
  Array.from(tensors.get(name)!.data as ArrayLike<number>, Number);

describe('JSON', () => {
  test.each(['[[1, 2], [3, 4]]', '{"instances": [[1, 2], [3, 4]]}', '{"inputs": {"x": [[1, 2], [3, 4]]}}'])(
    '%s is a batch of two',
    (text) => {
      const tensors = readJson([ROW], text);
      expect(shapeOf(tensors)).toEqual([2, 2]);
      expect(numbersOf(tensors)).toEqual([1, 2, 3, 4]);
    },
  );

  test('a record alone is a batch of one, and null is a number that is missing', () => {
    const tensors = readJson([ROW], '[1, null]');
    expect(shapeOf(tensors)).toEqual([1, 2]);
    expect(numbersOf(tensors)).toEqual([1, NaN]);
  });

  test('records with names feed several inputs', () => {
    const tensors = readJsonLines([ROW, COUNT], '{"x": [1, 2], "n": 7}\n{"x": [3, 4], "n": 8}\n');
    expect(shapeOf(tensors)).toEqual([2, 2]);
    expect(numbersOf(tensors, 'n')).toEqual([7, 8]);
  });

  test.each([
    ['[[1, 2], [3]]', 'different lengths'],
    ['[[1, 2], 3]', 'different'],
    ['[1, 2, 3]', 'takes the shape'],
    ['["a", "b"]', 'input x takes'],
    ['{"rows": []}', 'the document must be a list'],
    ['{"instances": []}', 'no records'],
    ['[1, NaN]', 'is not JSON'],
  ])('%s is refused with 400', (text, words) => {
    expect(() => readJson([ROW], text)).toThrow(words);
    expect(() => readJson([ROW], text)).toThrow(RequestRefused);
  });

  test.each(['1.5', '9007199254740993', 'true', 'null'])('%s is no integer of 64 bits', (value) => {
    expect(() => readJson([COUNT], `[[${value}]]`)).toThrow(RequestRefused);
  });
});

describe('CSV', () => {
  test('rows fill the other axes of one input', () => {
    expect(shapeOf(readCsv([IMAGE], '1,2,3,4\r\n5,6,7,8\r\n'), 'pixels')).toEqual([2, 1, 2, 2]);
  });

  test('a column is an input where there are several', () => {
    const single = { ...ROW, shape: [-1, 1] };
    const tensors = readCsv([single, COUNT], '0.5,1\n1.5,2\n');
    expect(numbersOf(tensors)).toEqual([0.5, 1.5]);
    expect(numbersOf(tensors, 'n')).toEqual([1, 2]);
  });

  test.each([
    ['1,2\n3\n', 'row 2 has 1 cells, and row 1 has 2'],
    ['1,x\n', 'is not a number'],
    ['1,\u00a02\n', 'is not a number'],
    ['1,"2\n"\n', 'is not a number'],
    ['', 'no rows'],
  ])('%j is refused', (text, words) => {
    expect(() => readCsv([ROW], text)).toThrow(words);
  });
});

describe('NumPy arrays', () => {
  const tensor = { dtype: 'float32', shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) } as const;

  test('what is written is read again, at a multiple of 64 bytes', () => {
    const bytes = writeNpy(tensor);
    expect((bytes.length - 16) % 64).toBe(0);
    expect(numbersOf(readNpy(ROW, bytes))).toEqual([1, 2, 3, 4]);
  });

  test('what is no array, is cut off, or has another shape, is refused', () => {
    const bytes = writeNpy(tensor);
    expect(() => readNpy(ROW, Buffer.from('PK'))).toThrow('is not a NumPy array');
    expect(() => readNpy(ROW, bytes.subarray(0, -1))).toThrow(RequestRefused);
    expect(() => readNpy(IMAGE, bytes)).toThrow(RequestRefused);
    expect(() => readNpy(COUNT, bytes)).toThrow(RequestRefused);
  });
});

test('an Accept that no writer serves is refused with 406', () => {
  expect(() => writerOf('image/png', 'application/json')).toThrow(
    expect.objectContaining({ status: 406, name: 'RequestRefused' }),
  );
});

test.each([
  ['application/json', '{"predictions": [[1.0, 0.5], [-0.0, 1e+21]]}'],
  ['application/jsonlines', '[1.0, 0.5]\n[-0.0, 1e+21]\n'],
  ['text/csv', '1.0,0.5\n-0.0,1e+21\n'],
])('%s has floats with a fraction, as Python writes them: 1 would be a class', (accept, expected) => {
  const floats = { dtype: 'float64', shape: [2, 2], data: Float64Array.of(1, 0.5, -0, 1e21) } as const;
  expect(writerOf(accept, 'text/csv')(new Map([['y', floats]]))).toBe(expected);
});
