import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readScoreVector } from '../../../src/prediction/score-vector-bytes.ts';

function read(list: string, length: number): number[] | undefined {
  const bytes = Buffer.from(list);
  const scores = new Float64Array(length);
  return readScoreVector(bytes, 1, scores) === bytes.length ? [...scores] : undefined;
}

const asPythonWrites = (value: number) => String(value).replace(/e-(\d)$/, 'e-0$1');
const asTensorflowWrites = (value: number) => String(Number(Math.fround(value).toPrecision(9)));
const asExponent = (value: number) => value.toExponential();
const padded = (value: number) => value.toFixed(20);

test('every number is the double that JSON.parse gives', () => {
  const number = fc.oneof(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer().map((value) => value / 1000),
    fc
      .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -60, max: 25 }))
      .map(([m, e]) => m * 10 ** e),
  );
  const writers = fc.constantFrom(asPythonWrites, asTensorflowWrites, asExponent, padded, String);
  fc.assert(
    fc.property(
      fc.array(number, { minLength: 1, maxLength: 60 }),
      writers,
      fc.constantFrom(', ', ',', ' ,\n\t'),
      (values, write, comma) => {
        const list = `[${values.map(write).join(comma)}]`;
        let expected: number[];
        try {
          expected = JSON.parse(list);
        } catch {
          return;
        }
        const found = read(list, values.length);
        // A number of many digits before the point is left to the general reader.
        if (found !== undefined) expect(found).toEqual(expected);
        else
          expect(
            values.some((value) => Math.abs(value) >= 1e7 || write === padded || !Number.isFinite(value)),
          ).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test('halfway decimals round to even as the standard says', () => {
  const list =
    '[9007199254740993e-16, 0.500000000000000166533453693773481063544750213623046875, 8.5e-45, 1e-22, 123456789012345e-22]';
  const expected: number[] = JSON.parse(list);
  const found = read(list, 5);
  expect(found === undefined || found.every((value, at) => value === expected[at])).toBe(true);
  expect(read('[0.90071992547409930001, 0.1]', 2)).toEqual(JSON.parse('[0.90071992547409930001, 0.1]'));
});

test.each([
  ['[01,2]', 'a leading zero'],
  ['[1.,2]', 'a point without digits'],
  ['[.5,2]', 'no digit before the point'],
  ['[1e,2]', 'an exponent without digits'],
  ['[+1,2]', 'a plus sign'],
  ['[NaN,2]', 'NaN'],
  ['[1 2]', 'no comma'],
  ['[1,2,3]', 'a number too many'],
  ['[1]', 'a number too few'],
  ['[1,2', 'no end'],
  ['[1,"2"]', 'a string'],
])('%s is left to the general reader: %s', (list) => {
  expect(read(list, 2)).toBeUndefined();
});
