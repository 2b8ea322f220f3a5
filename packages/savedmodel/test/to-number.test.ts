import { expect, test } from 'vitest';
import { parseNumber } from '../host/text/strings.ts';

test('infinities and NaN are numbers of floats in any case, as TensorFlow reads them', () => {
  const read = (...texts: readonly string[]) => texts.map((text) => parseNumber(text, 'float32'));
  expect(read('inf', '-INF', ' +Infinity ', 'NaN', '-nan')).toEqual([
    Infinity,
    -Infinity,
    Infinity,
    NaN,
    NaN,
  ]);
  expect(read('infi', 'nano', '0x10', '')).toEqual([undefined, undefined, undefined, undefined]);
  expect(parseNumber('inf', 'int32')).toBeUndefined();
});
