import { expect, test } from 'vitest';
import { filterInputRecord, readInputRecord } from '../../../src/prediction/input-record.ts';
import { type JsonPath, parseJsonPath } from '../../../src/prediction/json-path.ts';

const path = (text: string) => parseJsonPath(text) as JsonPath;

test.each([
  ['csv', 'cat,"1,5" ,\r\n', ['cat', '1,5', '']],
  ['csv', 'cat\n', ['cat']],
  ['csv', ' cat , 1', ['cat', '1']],
  ['csv', '"two\nlines",2', ['two\nlines', '2']],
  ['json', '{"y": [1, NaN]}', { y: [1, Number.NaN] }],
  ['json', '[1]', [1]],
  ['json', '', undefined],
  ['json', '{} {}', undefined],
  ['json', 'broken', undefined],
] as const)('as %s the text %j is the record %j', (format, text, record) => {
  expect(readInputRecord(text, format)).toEqual(record);
});

test.each([
  ['csv', '$', 'cat,1\r\n', 'cat,1\r\n'],
  ['csv', '$[1:]', 'cat,"1,5",2\r\n', '"1,5",2'],
  ['csv', '$[1:]', 'cat,"two\nlines",2\n', '"two\nlines",2'],
  ['csv', '$[-1]', 'cat,1\n', '1'],
  ['csv', '$[2]', 'cat,1', undefined],
  ['json', '$', 'broken', 'broken'],
  ['json', '$.x', '{"x": {"a": [1]}, "y": 2}', '{"a":[1]}'],
  ['json', "$['x','y']", '{"x": 1, "y": 2, "z": 3}', '{"x":1,"y":2}'],
  ['json', '$.z', '{"x": 1}', undefined],
  ['json', '$.x', 'broken', undefined],
] as const)('of a record as %s the filter %s sends %j as %j', (format, filter, text, sent) => {
  expect(filterInputRecord(text, format, path(filter))).toBe(sent);
});
