import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CoveredEntry, mergeCovered } from '../../../src/drop/covered-merge.ts';
import type { ManifestEntry } from '../../../src/drop/manifest-entry.ts';
import { addTotals, cutSlices } from '../../../src/drop/manifest-slice.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';

const entry = (key: string, version: number): ManifestEntry => ({
  key,
  size: version,
  etag: `e${version}`,
  lastModified: '2026-01-01T00:00:00.000Z',
});
const covered = ({ key, etag, lastModified }: ManifestEntry): CoveredEntry => ({ key, etag, lastModified });
const from = async function* <T>(items: readonly T[]) {
  yield* items;
};
const byKey = (a: { key: string }, b: { key: string }) => compareByteOrder(a.key, b.key);
const merge = (listing: readonly ManifestEntry[], before: readonly CoveredEntry[]) =>
  Array.fromAsync(mergeCovered(from(listing), from(before)));

describe('mergeCovered', () => {
  it('takes what was not covered, new versions included', async () => {
    const merged = await merge(
      [entry('a', 1), entry('b', 2), entry('d', 1)],
      [entry('b', 1), entry('c', 1), entry('d', 1)].map(covered),
    );
    expect(merged.flatMap(({ fresh }) => fresh ?? [])).toEqual([entry('a', 1), entry('b', 2)]);
    expect(merged.flatMap((key) => key.covered)).toEqual(
      [entry('a', 1), entry('b', 1), entry('b', 2), entry('c', 1), entry('d', 1)].map(covered),
    );
  });

  it('forgets what is not listed and was last modified before a time, and no more', async () => {
    const at = (key: string, day: string, version = 1) => ({
      ...entry(key, version),
      lastModified: `2026-01-${day}T00:00:00.000Z`,
    });
    const merged = await Array.fromAsync(
      mergeCovered(
        from([at('b', '01'), at('c', '09', 2)]),
        from([at('a', '01'), at('b', '01'), at('c', '01'), at('d', '05'), at('e', '04')].map(covered)),
        at('', '05').lastModified,
      ),
    );
    expect(merged.flatMap(({ fresh }) => fresh?.key ?? [])).toEqual(['c']);
    expect(merged.flatMap((key) => key.covered)).toEqual(
      [at('b', '01'), at('c', '09', 2), at('d', '05')].map(covered),
    );
  });

  it('cuts a slice after as many keys that are forgotten, too', async () => {
    const old = ['a', 'b', 'c', 'd', 'e'].map((key) => covered(entry(key, 1)));
    const merged = mergeCovered(from([]), from(old), '2026-02-01T00:00:00.000Z');
    const slices = await Array.fromAsync(cutSlices(merged, 2));
    expect(slices.map((slice) => [slice.through, slice.covered])).toEqual([
      ['b', ''],
      ['d', ''],
      ['e', ''],
    ]);
  });

  it('sums what a slice takes in, and cuts none after the last key of all', async () => {
    const listing = [entry('a', 2), { ...entry('b', 0), size: 0 }, entry('c.TGZ', 5), entry('d', 3)];
    const slices = await Array.fromAsync(cutSlices(from(await merge(listing, [])), 4));
    expect(slices.map(({ through, totals }) => [through, totals])).toEqual([
      ['b', { objects: 2, bytes: 2, largestObjectBytes: 2, emptyObjects: 1, tars: 0 }],
      ['d', { objects: 2, bytes: 8, largestObjectBytes: 5, emptyObjects: 0, tars: 1 }],
    ]);
    expect(addTotals(slices[1]!.totals, slices[0]!.totals)).toEqual({
      objects: 4,
      bytes: 10,
      largestObjectBytes: 5,
      emptyObjects: 1,
      tars: 1,
    });
  });

  it.each(['etag', 'lastModified'] as const)(
    'takes a file with another %s than before for fresh',
    async (field) => {
      const before = { ...covered(entry('a', 1)), [field]: '2025-12-31T00:00:00.000Z' };
      const merged = await merge([entry('a', 1)], [before]);
      expect(merged.map(({ fresh }) => fresh?.key)).toEqual(['a']);
    },
  );

  it('is the difference of sets, and its cover their union, in order', async () => {
    const versions = fc.uniqueArray(
      fc.record({
        key: fc.string({ unit: fc.constantFrom('a', 'b', '🐈', '\uFFFD'), minLength: 1, maxLength: 3 }),
        version: fc.integer({ min: 1, max: 3 }),
      }),
      { selector: ({ key, version }) => `${key} ${version}` },
    );
    await fc.assert(
      fc.asyncProperty(versions, versions, fc.integer({ min: 1, max: 4 }), async (listed, before, lines) => {
        const listing = [
          ...new Map(listed.map(({ key, version }) => [key, entry(key, version)])).values(),
        ].sort(byKey);
        const old = before.map(({ key, version }) => covered(entry(key, version))).sort(byKey);
        const isOld = (one: CoveredEntry) =>
          old.some((other) => other.key === one.key && other.etag === one.etag);
        const merged = await merge(listing, old);
        const fresh = listing.filter((one) => !isOld(one));
        expect(merged.flatMap((key) => key.fresh ?? [])).toEqual(fresh);
        const union = merged.flatMap((key) => key.covered);
        expect(union).toEqual(union.toSorted(byKey));
        expect(new Set(union.map((one) => JSON.stringify(one)))).toEqual(
          new Set([...old, ...fresh.map(covered)].map((one) => JSON.stringify(one))),
        );
        const slices = await Array.fromAsync(cutSlices(from(merged), lines));
        expect(slices.map(({ manifest }) => manifest).join('')).toBe(
          fresh.map((one) => `${JSON.stringify(one)}\n`).join(''),
        );
        expect(slices.map((slice) => slice.covered).join('')).toBe(
          union.map((one) => `${JSON.stringify(one)}\n`).join(''),
        );
        expect(slices.reduce((sum, { totals }) => sum + totals.objects, 0)).toBe(fresh.length);
      }),
    );
  });

  it.each([
    ['listing', [entry('b', 1), entry('a', 1)], []],
    ['covered', [], [entry('b', 1), entry('a', 1)]],
  ])('refuses a %s that is out of order', async (name, listing, before) => {
    await expect(merge(listing, before)).rejects.toThrow(`${name} must be in byte order, has "a" after "b"`);
  });
});
