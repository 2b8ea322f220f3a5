import { expect, it } from 'vitest';
import { parsedJson } from '../../../src/text/parse-json.ts';

it('gives the value of a JSON text, and undefined for any other', () => {
  expect(parsedJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(parsedJson('null')).toBeNull();
  expect(parsedJson('{"a":')).toBeUndefined();
  expect(parsedJson('')).toBeUndefined();
});
