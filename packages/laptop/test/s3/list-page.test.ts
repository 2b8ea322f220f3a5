import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { listPage } from '../../s3/listing/list-page.ts';
import { Bucket } from '../../s3/store/bucket.ts';
import type { ObjectVersion } from '../../s3/store/object-version.ts';
import { SortedKeys } from '../../s3/store/sorted-keys.ts';

const version: ObjectVersion = {
  versionId: 'null',
  lastModifiedMs: 0,
  size: 0,
  etag: '',
  segments: [],
  headers: {},
  metadata: {},
  tags: {},
};
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const text = (letters: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { maxLength }).map((parts) => parts.join(''));
const LETTERS = ['a', 'b', '/', '-', 'ä', '\uFFFD', '\u{1F600}'];

/** The same by the definition: sort, filter, roll up. */
function entriesByDefinition(keys: readonly string[], prefix: string, delimiter: string): string[] {
  const names = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      return end < 0 ? key : key.slice(0, end + delimiter.length);
    });
  return [...new Set(names)].sort(byBytes);
}

it('pages as the definition of a listing has it', () => {
  const keys = fc.uniqueArray(
    text(LETTERS, 6).filter((key) => key !== ''),
    { maxLength: 40 },
  );
  const deleted = fc.array(fc.nat(39), { maxLength: 10 });
  fc.assert(
    fc.property(
      keys,
      deleted,
      text(LETTERS, 2),
      fc.constantFrom('', '/', '-', '/-', 'ä'),
      fc.integer({ min: 1, max: 7 }),
      (all, gone, prefix, delimiter, maxKeys) => {
        const bucket = new Bucket('b', 0);
        for (const key of all) bucket.put(key, version);
        const hidden = new Set(gone.map((index) => all[index]));
        for (const key of all)
          if (hidden.has(key)) bucket.put(key, { ...version, versionId: 'm', deleteMarker: true });
        const found: string[] = [];
        let after = '';
        for (;;) {
          const page = listPage(bucket, { prefix, delimiter, after, maxKeys });
          const names = [...page.objects.map(({ key }) => key), ...page.commonPrefixes].sort(byBytes);
          expect(names.length).toBeLessThanOrEqual(maxKeys);
          found.push(...names);
          if (page.next === undefined) break;
          expect(page.next).toBe(names.at(-1));
          after = page.next;
        }
        expect(found).toEqual(
          entriesByDefinition(
            all.filter((key) => !hidden.has(key)),
            prefix,
            delimiter,
          ),
        );
      },
    ),
    { numRuns: 300 },
  );
});

it('keeps its order through thousands of insertions and removals', () => {
  const keys = new SortedKeys();
  const model = new Set<string>();
  let seed = 1;
  for (let i = 0; i < 20_000; i++) {
    seed = (seed * 48_271) % 2_147_483_647;
    const key = String(seed % 5_000);
    const adds = seed % 3 !== 0;
    expect(adds ? keys.add(key) : keys.delete(key)).toBe(adds ? !model.has(key) : model.has(key));
    if (adds) model.add(key);
    else model.delete(key);
  }
  expect([...keys.from('')]).toEqual([...model].sort());
  expect([...keys.from('3')]).toEqual([...model].filter((key) => key >= '3').sort());
  expect(keys.size).toBe(model.size);
});
