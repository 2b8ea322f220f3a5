import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJsonDocuments } from '../../../src/prediction/json-documents.ts';
import { parseJson } from '../../../src/text/parse-json.ts';
import { parseWrittenJson } from '../../../src/text/written-json.ts';

/** Two texts, after the first of which the JSON.parse of Node 24 reads the second as `{"*":1,"\\":2}` (nodejs/node#63785). */
const BACKSLASH = '{"*":[],"\\\\":0}';
const QUOTE = '{"*":1,"\\"":2}';

test('a name with an escape is never read as another that was parsed before', () => {
  JSON.parse(BACKSLASH);
  expect(parseJson(QUOTE)).toEqual({ '*': 1, '"': 2 });
  expect(parseWrittenJson(QUOTE)).toEqual({ '*': 1, '"': 2 });
  expect(readJsonDocuments(`${QUOTE}\n${QUOTE}`)).toEqual([
    { '*': 1, '"': 2 },
    { '*': 1, '"': 2 },
  ]);
});

test('any value is read as it was written, in any layout', () => {
  const name = fc.constantFrom('a', '"', '\\', '\\n', '\n', '\nb', 'a\\', 'a"', '__proto__', '{', '1');
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  }));
  fc.assert(
    fc.property(value, fc.nat(2), (written, indent) => {
      const text = JSON.stringify(written, undefined, indent);
      expect(JSON.stringify(parseJson(text), undefined, indent)).toBe(text);
    }),
  );
});

test('what is nested without end is refused before it is read again', () => {
  const text = `${'['.repeat(50_000)}{"\\\\":0}${']'.repeat(50_000)}`;
  expect(() => parseJson(text)).toThrow(new SyntaxError('it is nested more than 1000 levels deep'));
});
