import { expect, test } from 'vitest';
import { remarksOn } from '../engine/remarks.ts';

const signature = { name: 'serving_default', inputs: [], outputs: [] };

test('a model whose rows are apart and in single precision gives no cause for remarks', () => {
  expect(remarksOn({ signature, mixedBy: undefined, isHalf: false, isAsserted: false })).toEqual([]);
});

test('what mixes rows is named, and half precision, and that assertions are not checked', () => {
  expect(remarksOn({ signature, mixedBy: 'Max (node m)', isHalf: true, isAsserted: true })).toEqual([
    'requests of serving_default run one by one, for their rows might mix: Max (node m)',
    expect.stringContaining('float16'),
    expect.stringContaining('assertions of serving_default are not checked'),
  ]);
});
