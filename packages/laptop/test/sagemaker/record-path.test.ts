import { expect, test } from 'vitest';
import { applyJsonPath, parseJsonPath } from '../../sagemaker/transform/data-processing/record-path.ts';

const row = ['a', 'b', 'c', 'd', 'e', 'f'];
const record = { id: 1, deep: { x: [1, 2, 3] }, 'odd key': true };

test.each([
  ['$', row, row],
  ['$[0]', row, 'a'],
  ['$[-1]', row, 'f'],
  ['$[1:4]', row, ['b', 'c', 'd', 'e']],
  ['$[4:]', row, ['e', 'f']],
  ['$[:1]', row, ['a', 'b']],
  ['$[-2:]', row, ['e', 'f']],
  ['$[0,4:]', row, ['a', 'e', 'f']],
  ['$[2, 0]', row, ['c', 'a']],
  ['$[*]', row, row],
  ['$.id', record, 1],
  ['$.deep.x[1]', record, 2],
  ["$['odd key']", record, true],
  ["$['id','odd key']", record, { id: 1, 'odd key': true }],
  ['$.deep.*', record, [[1, 2, 3]]],
])('%s', (path, value, expected) => {
  expect(applyJsonPath(parseJsonPath(path), value)).toEqual(expected);
});

test.each(['', 'id', '$.', '$[a]', "$['a'", '$..x', '$[?(@.x)]', '$[1:2:3]'])('%s is no path', (path) => {
  expect(() => parseJsonPath(path)).toThrow(expect.objectContaining({ name: 'JsonPathError' }));
});

test.each([
  ['$[6]', row],
  ['$[2:6]', row],
  ['$.none', record],
  ['$.id.x', record],
  ['$[0]', record],
])('%s leads nowhere', (path, value) => {
  expect(() => applyJsonPath(parseJsonPath(path), value)).toThrow(
    expect.objectContaining({ name: 'JsonPathError' }),
  );
});
