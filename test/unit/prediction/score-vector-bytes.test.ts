import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { readScoreVector } from '../../../src/prediction/score-vector-bytes.ts';
import { SCORE_VECTOR_WASM } from '../../../src/prediction/score-vector-wasm.ts';

function read(list: string, length: number): number[] | undefined {
  const bytes = Buffer.from(list);
  const scores = new Float64Array(length);
  return readScoreVector(bytes, 1, scores) === bytes.length ? [...scores] : undefined;
}

const asPythonWrites = (value: number) => String(value).replace(/e-(\d)$/, 'e-0$1');
const asTensorflowWrites = (value: number) => String(Number(Math.fround(value).toPrecision(9)));
const asExponent = (value: number) => value.toExponential();
const padded = (value: number) => value.toFixed(20);

/** More digits than 64 bits hold, or more before the point than are read at once. */
const isLong = (text: string) => BigInt(text.replace(/e.*|\D/g, '')) > 10n ** 18n || /^-?\d{16}/.test(text);
const isSubnormal = (value: number) => value !== 0 && Math.abs(value) < 2 ** -1022;

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
        if (found !== undefined) expect(found).toEqual(expected);
        else expect(values.some((value) => isLong(write(value)) || isSubnormal(value))).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  '[900719925474099e0, 0.1]',
  '[900719925474099.3e1, 9007199254740.995e3]',
  '[8.5e-45, 1e-22]',
  '[1234567890.12345e-315, 2.2250738585072014e-308]',
  '[1.7976931348623157e308, -0.0]',
  '[-9007199254.740993e6, 45035996273.704985e5]',
  '[0.9007199254740993000, 184467440737095.5161e-30]',
])('decimals near the middle of two doubles, and at the ends of their range: %s', (list) => {
  expect(read(list, 2)).toEqual(JSON.parse(list));
});

test('what is too long, too small or too large for the fast way is left to the general reader', () => {
  for (const number of ['0.90071992547409930001', '1234567890123456', '5e-324', '1e309', '1e-1000'])
    expect(read(`[${number},0.1]`, 2)).toBeUndefined();
});

test('an earlier text leaves nothing to a shorter one', () => {
  expect(read('[0.123456789, 0.987654321]', 2)).toEqual([0.123456789, 0.987654321]);
  expect(read('[0.1,0.2', 2)).toBeUndefined();
});

test('a list longer than the memory at the start', () => {
  const list = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => 1 / (index + 1)));
  expect(read(list, 100_000)).toEqual(JSON.parse(list));
});

test('score-vector-wasm.ts is what score-vector.wat says', async () => {
  const text = await readFile(new URL('../../../src/prediction/score-vector.wat', import.meta.url), 'utf8');
  const { parseWat } = await wabt();
  const { buffer } = parseWat('score-vector.wat', text, { simd: true }).toBinary({});
  expect(SCORE_VECTOR_WASM).toBe(Buffer.from(buffer).toString('base64'));
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
