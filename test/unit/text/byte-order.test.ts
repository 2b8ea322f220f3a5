import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareByteOrder } from '../../../src/text/byte-order.ts';

it('compares keys as their UTF-8 bytes compare', () => {
  const key = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\uE000', '\uFFFD', '\u{10000}', '🐈') });
  fc.assert(
    fc.property(key, key, (left, right) => {
      expect(Math.sign(compareByteOrder(left, right))).toBe(
        Buffer.compare(Buffer.from(left), Buffer.from(right)),
      );
    }),
  );
});

it('puts an emoji after the last characters of the basic plane, where JavaScript puts it before', () => {
  expect(['🐈', '\uFFFD'].sort()).toEqual(['🐈', '\uFFFD']);
  expect(['🐈', '\uFFFD'].sort(compareByteOrder)).toEqual(['\uFFFD', '🐈']);
});
