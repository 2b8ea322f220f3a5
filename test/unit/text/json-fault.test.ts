import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from '../../../src/text/json-fault.ts';

test.each([
  ['// mine\n{}', 1, 1, 'JSON has no comments: remove this one'],
  ['{"a": 1} # end', 1, 10, 'JSON has no comments: remove this one'],
  ['{\n  "a": [1, 2,]\n}', 2, 14, 'a value is missing before ], or a comma is too much'],
  ['{"a": 1,\n}', 2, 1, 'a name is missing before }, or a comma is too much'],
  ['{"a": 1\n "b": 2}', 2, 2, 'a comma is missing before this'],
  ['{"a" 1}', 1, 6, 'a colon is missing before this'],
  ["{'a': 1}", 1, 2, 'names and texts must be in straight double quotes (")'],
  ['{"a": “b”}', 1, 7, 'names and texts must be in straight double quotes (")'],
  ['{a: 1}', 1, 2, 'a must be in double quotes, or a number such as 0.5'],
  ['{"a": True}', 1, 7, 'True is not true, false or null, as JSON has them'],
  ['{"a": .9}', 1, 7, '.9 must be in double quotes, or a number such as 0.5'],
  [
    '{"a": "(\\d+)"}',
    1,
    7,
    'this text must end on its line with a double quote, and a backslash in it is written twice (\\\\)',
  ],
  ['{"a": {"b": 1}', 1, 1, 'this { has no }'],
  ['', 1, 1, 'the file is empty'],
  ['{"a": 1,\n"a": 1}', 2, 1, 'a is here again, and first in line 1: remove one of them'],
  [
    '{"a": [0, {"b": 1, "c": {}, "\\u0062": 2}]}',
    1,
    29,
    'a.b is here again, and first in line 1: remove one of them',
  ],
  ['{}}', 1, 3, '"}" does not belong here'],
])('%j is wrong at line %i, column %i: %s', (text, line, column, what) => {
  expect(jsonFault(text)).toEqual({ line, column, what });
});

test('the same name in other objects is no fault, also in deep and long text', () => {
  expect(jsonFault('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}')).toBeUndefined();
  expect(jsonFault('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toBeUndefined();
});

test('finds a fault exactly where the engine does not accept the text, or a name stands twice', () => {
  const accepts = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const damaged = fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.nat(),
      fc.nat(2),
      fc.constantFrom(...'{}[],:"\\ \n\u0001\u0085\u2028\'/a0.-eE+tu'),
    )
    .map(([text, place, cut, put]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + cut);
    });
  // What is written by a program has each name once.
  fc.assert(fc.property(fc.json(), (text) => jsonFault(text) === undefined));
  fc.assert(
    fc.property(damaged, (text) => {
      const fault = jsonFault(text);
      if (!accepts(text)) expect(fault).toBeDefined();
      else if (fault !== undefined) expect(fault.what).toContain(' is here again, ');
    }),
    { numRuns: 3000 },
  );
});
