import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CountPacker, unpackCounts } from '../../../src/metric/packed-counts.ts';

test('counts come back as they went', () => {
  const pairs = fc
    .array(fc.tuple(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.nat({ max: Number.MAX_SAFE_INTEGER })), {
      maxLength: 400,
    })
    .map((list) => [...new Map(list)].sort(([a], [b]) => a - b));
  fc.assert(
    fc.property(pairs, (list) => {
      const found: [number, number][] = [];
      const packer = new CountPacker();
      for (const [index, count] of list) packer.add(index, count);
      unpackCounts(packer.finish(), (index, count) => found.push([index, count]));
      expect(found).toEqual(list);
    }),
  );
});
