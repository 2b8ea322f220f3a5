import { expect, test } from 'vitest';
import { halfToNumber, toHalves } from '../engine/half-precision.ts';

const toHalf = (value: number) => toHalves(Float32Array.of(value))[0];

test('every half is the half of its own number', () => {
  for (let bits = 0; bits < 2 ** 16; bits++) {
    const number = halfToNumber(bits);
    if (!Number.isNaN(number)) expect(toHalf(number)).toBe(bits);
  }
  expect(halfToNumber(toHalf(NaN) ?? 0)).toBeNaN();
});

test('other numbers become the nearest half, and the even one of two', () => {
  expect(toHalf(1 + 2 ** -11)).toBe(toHalf(1));
  expect(toHalf(1 + 3 * 2 ** -11)).toBe(toHalf(1 + 2 ** -9));
  expect(toHalf(2048 - 2 ** -2)).toBe(toHalf(2048));
  expect(toHalf(3 * 2 ** -25)).toBe(toHalf(2 ** -23));
  expect(toHalf(65519)).toBe(toHalf(65504));
  expect(toHalf(-65520)).toBe(toHalf(-Infinity));
});
