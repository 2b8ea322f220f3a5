import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withJsonMembers } from '../../../src/text/json-members.ts';
import { parseJson } from '../../../src/text/parse-json.ts';

test('members are replaced and added where they stand, and nothing else changes', () => {
  const text = `{
  "model": { "framework": "onnx" },
  "transform": {
    "instanceTypes": ["ml.m5.xlarge",
                      "ml.m5.large"],
    "splitType": "None"
  },
  "labels": { "classes": ["cat", "}, {"] }
}
`;
  expect(withJsonMembers(text, 'transform', { instanceTypes: ['ml.c5.large'], maxConcurrentTransforms: 8 }))
    .toBe(`{
  "model": { "framework": "onnx" },
  "transform": {
    "instanceTypes": ["ml.c5.large"],
    "splitType": "None",
    "maxConcurrentTransforms": 8
  },
  "labels": { "classes": ["cat", "}, {"] }
}
`);
});

test('an object that is missing is added', () => {
  expect(withJsonMembers('{\n  "a": 1\n}', 'transform', { x: 2 })).toBe(
    '{\n  "a": 1,\n  "transform": {"x":2}\n}',
  );
  expect(withJsonMembers('{}', 'transform', { x: 2 })).toBe('{"transform": {"x":2}}');
  expect(withJsonMembers('{"transform":{}}', 'transform', { x: 2 })).toBe('{"transform":{"x": 2}}');
});

test('the value is that of an assignment, for any JSON in any layout', () => {
  const name = fc.constantFrom('transform', 'a', '"', '\\', '}');
  const object = fc.dictionary(name, fc.jsonValue());
  fc.assert(
    fc.property(
      object,
      object,
      fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }),
      fc.nat(3),
      (rest, inner, added, indent) => {
        const before = { ...rest, transform: inner };
        const after = withJsonMembers(JSON.stringify(before, undefined, indent), 'transform', added);
        // Not JSON.parse, which misreads names with escapes: src/text/parse-json.ts.
        expect(parseJson(after)).toEqual(
          parseJson(JSON.stringify({ ...before, transform: { ...inner, ...added } })),
        );
      },
    ),
  );
});
