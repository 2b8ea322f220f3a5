import { expect, test } from 'vitest';
import { readJsonDocuments } from '../../../src/prediction/json-documents.ts';

test.each([
  ['', []],
  [' \n', []],
  ['NaN', [Number.NaN]],
  ['-Infinity', [-Infinity]],
  ['[-0.5, 1e3, 2E-1, 1.25e+2, Infinity]', [[-0.5, 1000, 0.2, 125, Infinity]]],
  [
    '{"a": NaN, "b": [true, false, null], "c": {}, "d": []}',
    [{ a: NaN, b: [true, false, null], c: {}, d: [] }],
  ],
  [String.raw`{"a\"b": "c\\", "d": NaN}`, [{ 'a"b': 'c\\', d: NaN }]],
  ['{"a": NaN ,\t"b" : 1\r\n}', [{ a: NaN, b: 1 }]],
  ['{"__proto__": NaN}', [Object.fromEntries([['__proto__', NaN]])]],
  ['truefalse null', [true, false, null]],
  ['[1][2]\n[3]', [[1], [2], [3]]],
  ['{"a": 1}\r\n{"a": 2}\r\n', [{ a: 1 }, { a: 2 }]],
  ['{"a":\n1}\n{"a": 2}', [{ a: 1 }, { a: 2 }]],
])('%j holds the documents %j', (text, documents) => {
  expect(readJsonDocuments(text)).toEqual(documents);
});

test.each([
  ['{"a" NaN}', 'has no ":" at character 5, near "NaN}"'],
  ['{"a": NaN "b": 1}', 'has no "," at character 10, near "\\"b\\": 1}"'],
  ['{a: 1}', 'has no string at character 1'],
  ['{"a: 1}', 'has no string at character 1'],
  [String.raw`{"\x": 1}`, 'has a broken string at character 1'],
  ['[NaN, ]', 'is not JSON at character 6'],
  ['[NaN', 'has no "," at character 4, near ""'],
  ['[01]', 'has no "," at character 2'],
  ['[tru]', 'is not JSON at character 1, near "tru]"'],
  ['+1', 'is not JSON at character 0'],
  ['[1]\nnonsense that is longer than twenty', 'at character 4, near "nonsense that is lon"'],
])('%j is refused: %s', (text, message) => {
  expect(() => readJsonDocuments(text)).toThrow(
    expect.objectContaining({ reason: 'unreadable-output', message: expect.stringContaining(message) }),
  );
});

test.each([
  ['strict lists', '1', '[', ']'],
  ['lists that are not strict', 'NaN', '[', ']'],
  ['objects', '1', '{"a":', '}'],
  ['lists behind a text with brackets', '1', '["]]]}", ', ']'],
])('a hundred levels are read, and no more: %s', (_, inner, open, close) => {
  const nested = (levels: number) => open.repeat(levels) + inner + close.repeat(levels);
  expect(readJsonDocuments(nested(100))).toHaveLength(1);
  expect(() => readJsonDocuments(nested(101))).toThrow('nested more than 100 levels deep');
});

test('brackets side by side are no levels', () => {
  expect(readJsonDocuments(`[${'[],{},'.repeat(200)}1]`)).toHaveLength(1);
});
