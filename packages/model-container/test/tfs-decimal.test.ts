import { expect, test } from 'vitest';
import { toDecimal } from '../tensorflow/serving/decimal.ts';

test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [0.2, '0.2'],
  [3.5, '3.5'],
  [100000, '100000.0'],
  [1e6, '1e+06'],
  [9000000, '9e+06'],
  [1234567, '1234567.0'],
  [16777216, '16777216.0'],
  [0.0001, '0.0001'],
  [0.00003, '3e-05'],
  [0.000021, '2.1e-05'],
  [0.00002098765, '2.09876507e-05'],
  [0.000002, '2e-06'],
  [1e-7, '1e-07'],
  [0.999908805, '0.999908805'],
  [0.1 + 0.2, '0.3'],
  [1 / 3, '0.333333343'],
  [3.4028234663852886e38, '3.40282347e+38'],
  [-1.17549435e-38, '-1.17549435e-38'],
  [NaN, 'NaN'],
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
])('float32 %d is %s', (value, text) => {
  expect(toDecimal(Math.fround(value), 'float32')).toBe(text);
});

test.each([
  [0.1, '0.1'],
  [0.1 + 0.2, '0.30000000000000004'],
  [1 / 3, '0.33333333333333331'],
  [12345678901234, '12345678901234.0'],
  [1.5e-9, '1.5e-09'],
])('float64 %d is %s', (value, text) => {
  expect(toDecimal(value, 'float64')).toBe(text);
});

test('every float32 reads back to itself', () => {
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  for (let index = 0; index < 20_000; index++) {
    bits[0] = Math.imul(index, 2654435761);
    const value = float[0]!;
    if (Number.isFinite(value)) expect(Math.fround(Number(toDecimal(value, 'float32')))).toBe(value);
  }
});
