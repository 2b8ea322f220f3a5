import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { largestAllowedBytes, resolvePayload } from '../../../src/transform/payload.ts';

const auto = { maxPayloadInMB: 'auto', maxConcurrentTransforms: 'auto', splitType: 'None' } as const;
const setting = fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1, max: 100 }));
const settings = fc.record({
  maxPayloadInMB: setting,
  maxConcurrentTransforms: setting,
  splitType: fc.constantFrom('None', 'Line', 'RecordIO', 'TFRecord'),
});

test.each([
  [0.02, 1, 64],
  [1, 1, 64],
  [1.000001, 2, 50],
  [2.2, 3, 33],
  [33.4, 34, 2],
  [50, 50, 2],
  [51, 51, 1],
  [100, 100, 1],
])(
  'with a largest object of %d MB a request has %d MB and %d are in flight',
  (megabytes, maxPayloadInMB, maxConcurrentTransforms) => {
    expect(resolvePayload(auto, megabytes * 1e6)).toEqual({
      maxPayloadInMB,
      maxConcurrentTransforms,
      notes: [],
    });
  },
);

test('payload times concurrency stays within 100 MB and takes every object that is allowed', () => {
  fc.assert(
    fc.property(settings, fc.integer({ min: 1, max: 100_000_000 }), (given, size) => {
      const allowed = largestAllowedBytes(given);
      const largest = allowed === null ? size : Math.min(size, allowed);
      const { maxPayloadInMB, maxConcurrentTransforms } = resolvePayload(given, largest);
      expect(maxPayloadInMB * maxConcurrentTransforms).toBeLessThanOrEqual(100);
      expect(Math.min(maxPayloadInMB, maxConcurrentTransforms)).toBeGreaterThanOrEqual(1);
      if (given.splitType === 'None') expect(maxPayloadInMB * 1e6).toBeGreaterThanOrEqual(largest);
    }),
  );
});

test('a number is an upper bound, and a note says where it is lowered', () => {
  fc.assert(
    fc.property(settings, fc.integer({ min: 1, max: 100_000_000 }), (given, largest) => {
      const { maxPayloadInMB, maxConcurrentTransforms, notes } = resolvePayload(given, largest);
      const lowered = (asked: number | 'auto', got: number) => (asked !== 'auto' && got < asked ? 1 : 0);
      if (given.maxPayloadInMB !== 'auto') expect(maxPayloadInMB).toBeLessThanOrEqual(given.maxPayloadInMB);
      if (given.maxConcurrentTransforms !== 'auto')
        expect(maxConcurrentTransforms).toBeLessThanOrEqual(given.maxConcurrentTransforms);
      expect(notes).toHaveLength(
        lowered(given.maxPayloadInMB, maxPayloadInMB) +
          lowered(given.maxConcurrentTransforms, maxConcurrentTransforms),
      );
    }),
  );
});

test('concurrency is the largest that fits, at most 64', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (largest) => {
      const { maxPayloadInMB, maxConcurrentTransforms } = resolvePayload(auto, largest);
      expect(maxConcurrentTransforms === 64 || maxPayloadInMB * (maxConcurrentTransforms + 1) > 100).toBe(
        true,
      );
    }),
  );
});

test('objects that are cut into records may have any size', () => {
  expect(largestAllowedBytes({ ...auto, splitType: 'Line' })).toBeNull();
  expect(resolvePayload({ ...auto, splitType: 'Line' }, 5e9)).toMatchObject({
    maxPayloadInMB: 6,
    maxConcurrentTransforms: 16,
  });
});

test.each([
  ['auto' as const, 100_000_000],
  [40, 40_000_000],
])('of payload %s, the largest object has %d bytes', (maxPayloadInMB, bytes) => {
  expect(largestAllowedBytes({ ...auto, maxPayloadInMB })).toBe(bytes);
});

test.each([
  [
    { maxPayloadInMB: 100 },
    2_500_000,
    [3, 33],
    ['transform.maxPayloadInMB lowered from 100 to 3: the largest object has 2.5 MB'],
  ],
  [
    { maxConcurrentTransforms: 64 },
    10_000_000,
    [10, 10],
    [
      'transform.maxConcurrentTransforms lowered from 64 to 10: times maxPayloadInMB 10 it must stay within 100',
    ],
  ],
  [{ maxConcurrentTransforms: 100 }, 1, [1, 100], []],
  [{ maxPayloadInMB: 20, splitType: 'Line' }, 1, [20, 5], []],
] as const)(
  '%j, with a largest object of %d bytes',
  (given, largest, [maxPayloadInMB, maxConcurrentTransforms], notes) => {
    expect(resolvePayload({ ...auto, ...given }, largest)).toEqual({
      maxPayloadInMB,
      maxConcurrentTransforms,
      notes,
    });
  },
);
