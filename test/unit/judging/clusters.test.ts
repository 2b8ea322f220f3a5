import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clusterBucket, clustersIn, ClusterSums, StoredClusters } from '../../../src/judging/cluster-sums.ts';
import { effectiveChange, effectiveCount } from '../../../src/judging/effective-count.ts';

const records = fc.array(
  fc.record({ name: fc.nat(40).map((at) => `scene ${at}`), isRight: fc.boolean(), part: fc.nat(3) }),
);
const same = (part: number) => part;
const folded = (some: readonly { name: string; isRight: boolean; part: number }[]) => {
  const sums = new ClusterSums();
  for (const { name, isRight, part } of some) {
    const bucket = clusterBucket(name);
    sums.add(bucket, isRight);
    sums.add(bucket, isRight, part);
  }
  return sums;
};

describe('sums by cluster', () => {
  test('merge to the whole in any order', () => {
    fc.assert(
      fc.property(fc.array(records), fc.boolean(), (parts, isReversed) => {
        const merged = new ClusterSums();
        for (const part of isReversed ? parts.toReversed() : parts)
          merged.merge(StoredClusters.parse(JSON.parse(JSON.stringify(folded(part).store()))), same);
        expect(merged.store()).toEqual(folded(parts.flat()).store());
      }),
    );
  });

  test('are those of a part under another number once its class has one', () => {
    const merged = new ClusterSums();
    merged.merge(folded([{ name: 'a', isRight: true, part: 1 }]).store(), (part) => part + 100_000);
    expect(merged.whole()).toEqual([{ right: 1, count: 1 }]);
    expect(merged.part(100_001)).toEqual(new Map([[clusterBucket('a') % 256, { right: 1, count: 1 }]]));
    expect(merged.part(1)).toBeUndefined();
  });

  test('tell about how many clusters there are', () => {
    const buckets = new Set(
      Array.from({ length: 20_000 }, (_, at) => clusterBucket(`incoming/a/b/${at}.png`)),
    );
    expect(clustersIn(buckets.size)).toBeGreaterThan(19_700);
    expect(clustersIn(buckets.size)).toBeLessThan(20_300);
  });
});

describe('what clustered records are worth', () => {
  const alike = (clusters: number, size: number, right: (at: number) => number) =>
    Array.from({ length: clusters }, (_, at) => ({ right: right(at), count: size }));

  test('is about their number where they are not alike, and that of the clusters where all of one are', () => {
    const single = alike(1_000, 1, (at) => (at % 10 === 0 ? 0 : 1));
    expect(effectiveCount(single, 0.95)).toBeGreaterThan(990);
    const equal = alike(100, 10, (at) => (at % 10 === 0 ? 0 : 10));
    expect(effectiveCount(equal, 0.95)).toBeGreaterThan(90);
    expect(effectiveCount(equal, 0.95)).toBeLessThan(101);
  });

  test.each([
    ['few', alike(20, 50, (at) => 40 + (at % 3)), 20],
    ['all right', alike(100, 10, () => 10), 100],
    ['none', [], 0],
  ])('is a record for each cluster where they are %s', (_, clusters, worth) => {
    expect(effectiveCount(clusters, 0.95)).toBeCloseTo(worth, 9);
  });

  test('is never more than their number', () => {
    const cluster = fc
      .tuple(fc.nat(20), fc.nat(20))
      .map(([a, b]) => ({ right: Math.min(a, b), count: Math.max(a, b, 1) }));
    fc.assert(
      fc.property(
        fc.array(cluster, { minLength: 1, maxLength: 80 }),
        fc.constantFrom(0.5, 0.8, 0.95),
        (some, confidence) => {
          const count = some.reduce((sum, each) => sum + each.count, 0);
          const found = effectiveCount(some, confidence);
          expect(found).toBeGreaterThan(0);
          expect(found).toBeLessThanOrEqual(count);
        },
      ),
    );
  });

  test('of a change is less where clusters change together', () => {
    const change = (together: boolean) =>
      Array.from({ length: 100 }, (_, at) => ({
        change: together ? (at % 10 === 0 ? 6 : at % 10 === 1 ? -4 : 0) : at % 5 === 0 ? 1 : 0,
        count: 10,
      }));
    expect(effectiveChange(change(false), 20, 0.95)).toBeGreaterThan(800);
    expect(effectiveChange(change(true), 100, 0.95)).toBeLessThan(300);
  });
});
