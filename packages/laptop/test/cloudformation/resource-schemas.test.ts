import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { propertyProblems, toRegExp } from '../../cloudformation/schemas/property-problems.ts';
import { resourceSchemaOf } from '../../cloudformation/schemas/resource-schema.ts';
import { startCloudFormation } from '../support/local-cloudformation.ts';

const FILE = path.resolve(import.meta.dirname, '../../cloudformation/schemas/resource-schemas.json');

test('every type that the stack makes has its schema', async () => {
  const { review, close } = await startCloudFormation();
  const refusal = await review('none', { Resources: { It: { Type: 'AWS::EC2::Instance' } } }).catch(String);
  await close();
  const made = /The local stack makes: ([^)]*)/.exec(String(refusal))?.[1]?.split(', ') ?? [];
  expect(made.length).toBeGreaterThan(20);
  expect(made.filter((type) => !resourceSchemaOf(type))).toEqual([]);
});

test('every pattern of the schemas is one of JavaScript, too', () => {
  const patterns = Array.from(
    readFileSync(FILE, 'utf8').matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g),
    ([, text = '']) => JSON.parse(text) as string,
  );
  expect(patterns.length).toBeGreaterThan(50);
  for (const pattern of patterns) expect(() => toRegExp(pattern)).not.toThrow();
});

const SCHEMA = {
  primaryIdentifier: [],
  createOnlyProperties: [],
  readOnlyProperties: [],
  definitions: { Size: { type: 'integer', minimum: 1, maximum: 3 } },
  properties: {
    Size: { $ref: '#/definitions/Size' },
    Name: { type: 'string', minLength: 2, maxLength: 4 },
    On: { type: 'boolean' },
    List: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2, uniqueItems: true },
    Map: {
      type: 'object',
      patternProperties: { '^[a-z]+$': { type: 'string' } },
      additionalProperties: false,
    },
    Either: { oneOf: [{ required: ['A'] }, { required: ['B'] }] },
    Any: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
  },
  required: ['Size'],
  additionalProperties: false,
};

test.each<[Record<string, unknown>, string[]]>([
  [{ Size: 2, Name: 'abc', On: 'true', List: ['a'], Map: { a: 'b' }, Either: { A: 1 }, Any: 1 }, []],
  [{ Size: '2', Name: 12, On: false }, []],
  [{}, ['#: required key [Size] not found']],
  [{ Size: 0 }, ['#/Size: 0 is not greater or equal to 1']],
  [{ Size: '4' }, ['#/Size: 4 is not less or equal to 3']],
  [{ Size: 1.5 }, ['#/Size: expected type: Integer, found: Double']],
  [{ Size: 1, Name: {} }, ['#/Name: expected type: String, found: JSONObject']],
  [{ Size: 1, On: 'yes' }, ['#/On: expected type: Boolean, found: String']],
  [{ Size: 1, Name: 'a' }, ['#/Name: expected minLength: 2, actual: 1']],
  [{ Size: 1, List: [] }, ['#/List: expected minimum item count: 1, found: 0']],
  [
    { Size: 1, List: ['a', 'a', 'b'] },
    ['#/List: expected maximum item count: 2, found: 3', '#/List: array items are not unique'],
  ],
  [{ Size: 1, List: [{}] }, ['#/List/0: expected type: String, found: JSONObject']],
  [{ Size: 1, Map: { A: 'b' } }, ['#/Map: extraneous key [A] is not permitted']],
  [{ Size: 1, Either: { A: 1, B: 2 } }, ['#/Either: 2 subschemas matched instead of one']],
  [{ Size: 1, Any: 'x' }, ['#/Any: no subschema matched out of the total 2 subschemas']],
  [{ Size: 1, Sise: 2 }, ['#: extraneous key [Sise] is not permitted']],
])('%o', (properties, problems) => {
  expect(propertyProblems(SCHEMA, properties)).toEqual(problems);
});
