import { expect, test } from 'vitest';
import { remarksOn } from '../engine/remarks.ts';

const signature = { name: 'serving_default', inputs: [], outputs: [] };

test('a model whose rows are apart and in single precision gives no cause for remarks', () => {
  expect(remarksOn({ signature, mixedBy: undefined, isHalf: false, unchecked: [], unproven: [] })).toEqual(
    [],
  );
});

test('what mixes rows is named, and half precision, and assertions that are not checked', () => {
  expect(
    remarksOn({
      signature,
      mixedBy: 'Max (node m)',
      isHalf: true,
      unproven: [],
      unchecked: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    }),
  ).toEqual([
    'requests of serving_default run one by one, for their rows might mix: Max (node m)',
    expect.stringMatching(/^float16.*from 65,520/),
    expect.stringMatching(/^assertions of serving_default are not checked.*: a, b, c, d, e and 2 more$/),
  ]);
});
