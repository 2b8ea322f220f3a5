import { expect, it } from 'vitest';
import { parseWrittenJson } from '../../../src/text/written-json.ts';

it('reads JSON, behind a byte order mark, too', () => {
  expect(parseWrittenJson('\uFEFF{"a":[1,null]}')).toEqual({ a: [1, null] });
  expect(parseWrittenJson('"a\uFEFFb"')).toBe('a\uFEFFb');
  expect(() => parseWrittenJson('\uFEFF\uFEFF1')).toThrow(SyntaxError);
});

it('reads 100 levels, and no more', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(JSON.stringify(parseWrittenJson(nested(100)))).toBe(nested(100));
  for (const depth of [101, 400_000])
    expect(() => parseWrittenJson(nested(depth))).toThrow('it is nested more than 100 levels deep');
});

it.each(['{"__proto__": 1}', '[{"metrics": {"a": "b", "__proto__": "c"}}]'])(
  'refuses names that a schema would drop: %s',
  (text) => {
    expect(() => parseWrittenJson(text)).toThrow('the name __proto__ is not allowed');
  },
);
