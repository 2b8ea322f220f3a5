import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyJsonPath,
  parseJsonPath as parseLocally,
} from '../../../packages/laptop/sagemaker/transform/data-processing/record-path.ts';
import { followPath, isSingle, type JsonPath, parseJsonPath } from '../../../src/prediction/json-path.ts';

const path = (text: string): JsonPath => {
  const parsed = parseJsonPath(text);
  if ('reason' in parsed) throw new Error(parsed.reason);
  return parsed;
};
const RECORD = { id: 7, features: [1, 2, 3], meta: { 'a b': 'x', größe: null }, __proto__x: 1 };

test.each<[string, unknown]>([
  ['$', RECORD],
  ['$.id', 7],
  ["$['id']", 7],
  ["$.meta['a b']", 'x'],
  ["$['meta']['größe']", null],
  ['$.features[0]', 1],
  ['$.features[-1]', 3],
  ['$.features[0,2]', [1, 3]],
  ['$.features[1:]', [2, 3]],
  ['$.features[2,0:]', [3, 1, 2, 3]],
  ['$.features[1: , 0]', [2, 3, 1]],
  ['$.features[-2:]', [2, 3]],
  ['$.features.*', [1, 2, 3]],
  ['$.features[*]', [1, 2, 3]],
  ['$.meta[*]', ['x', null]],
  ['$.meta.*', ['x', null]],
  ["$[ 'id' , 'features' ]", { id: 7, features: [1, 2, 3] }],
  ['$.features[ 0 , -1: ]', [1, 3]],
  ["$['id','features']", { id: 7, features: [1, 2, 3] }],
])('%s leads to %j', (text, expected) => {
  expect(followPath(path(text), RECORD)).toEqual(expected);
});

test.each([
  '$.none',
  '$.id.x',
  '$.features.x',
  '$.features[3]',
  '$.features[-4]',
  '$.features[3:]',
  '$[0]',
  '$.meta[0]',
  "$['id','none']",
  '$.constructor',
  '$.__proto__',
  '$.toString',
  '$.features.length',
  '$.id[0]',
  '$.id.*',
  '$.features[0,3]',
  "$.features['0']",
  "$.meta['größe'].x",
])('%s leads nowhere', (text) => {
  expect(followPath(path(text), RECORD)).toBeUndefined();
});

test.each([
  ['', 'must start with $'],
  ['label', 'must start with $'],
  ['$label', 'must go on with'],
  ['$.', 'must go on with'],
  ['$..label', 'must go on with'],
  ['$[?(@.a)]', 'must go on with'],
  ["$['a'", 'must go on with'],
  ["$['a\\'b']", 'must go on with'],
  ['$[]', 'must go on with'],
  ['$[1234567890]', 'must go on with'],
  ['$.a!', '[0], [0,2:] or .* at "!"'],
  ["$['a:1']x", 'must go on with'],
  ['$[1.5]', 'must go on with'],
  ['$[1:4]', 'must have no slice with an end'],
  ['$[:4]', 'must have no slice with an end'],
  ['$.features[0,1:-1]', 'must have no slice with an end'],
])('%j is refused: %s', (text, reason) => {
  expect(parseJsonPath(text)).toEqual({ reason: expect.stringContaining(reason) });
});

test('one name or index after the other is one value', () => {
  for (const text of ['$', '$.a', '$[0]', "$.a['b'][-1]"]) expect(isSingle(path(text))).toBe(true);
  for (const text of ['$.*', '$[0,1]', '$[0:]', "$['a','b']", '$[*].a'])
    expect(isSingle(path(text))).toBe(false);
});

test('hostile paths are read in time that follows their length', () => {
  for (const text of [
    `$${"['a',".repeat(20_000)}`,
    `$[${'0,'.repeat(20_000)}`,
    `$[${' '.repeat(50_000)}`,
    `$${'.*'.repeat(20_000)}x`,
  ])
    expect(parseJsonPath(text)).toHaveProperty('reason');
});

test('what this reads, the service of this machine reads alike', () => {
  const step = fc.oneof(
    fc.constantFrom('.a', '.b', "['a']", "['a','b']", '.*', '[*]'),
    fc
      .array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.boolean()), { minLength: 1, maxLength: 3 })
      .map((places) => `[${places.map(([place, open]) => `${place}${open ? ':' : ''}`).join(',')}]`),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, fc.string(), fc.boolean(), tie('list'), tie('fields')),
    list: fc.array(tie('any'), { minLength: 1, maxLength: 4 }),
    fields: fc.record({ a: tie('any'), b: tie('any') }),
  })).any;
  const theirs = (text: string, record: any): unknown => {
    try {
      return applyJsonPath(parseLocally(text), record);
    } catch {
      return undefined;
    }
  };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3 }), value, (steps, record: any) => {
      const text = `$${steps.join('')}`;
      expect(followPath(path(text), record)).toEqual(theirs(text, record));
    }),
    { numRuns: 2_000 },
  );
});
