import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { listChunk } from '../../../src/app/transform/list-chunk.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const places = { inputBucket: 'bucket', inputPrefix: 'in/', outputPrefix: 'out/' };
const name = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '.', '/', 'é', '\u{1F600}'),
  minLength: 1,
  maxLength: 5,
});

/** A chunk of inputs with these keys, and all outputs. */
const chunkOf = (keys: readonly string[]) => ({
  entries: keys.map((key) => ({ key, size: 1, etag: 'e', lastModified: '2026-01-01T00:00:00.000Z' })),
  outputsAfter: undefined,
  outputsThrough: undefined,
  detached: [],
  foreign: new Set<string>(),
});

test('finds every wanted input that is there, in pages of any size, among files of others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name),
      fc.array(name),
      fc.array(name),
      fc.integer({ min: 1, max: 5 }),
      async (kept, gone, others, pageSize) => {
        const store = memoryObjectStore({ pageSize });
        for (const file of [...kept, ...others]) store.put(`in/${file}`);
        const there = new Set(store.keys('in/'));
        const wanted = [...new Set([...kept, ...gone].map((file) => `in/${file}`))].toSorted(
          compareByteOrder,
        );
        const { inputs } = await listChunk(store, chunkOf(wanted), places);
        expect([...inputs.keys()].toSorted()).toEqual(wanted.filter((key) => there.has(key)).toSorted());
      },
    ),
  );
});

test('costs a request for each where a few inputs lie among many files', async () => {
  const store = memoryObjectStore();
  for (let index = 0; index < 20_000; index++) store.put(`in/${String(index).padStart(5, '0')}.png`);
  const { inputs } = await listChunk(store, chunkOf(['in/00010.png', 'in/19000.png']), places);
  expect(inputs.size).toBe(2);
  expect(store.requests.filter(({ key }) => key === 'in/')).toHaveLength(2);
});

test('lists only the chunk’s own stretch of the outputs, and looks detached ones up', async () => {
  const store = memoryObjectStore({ pageSize: 2 });
  for (const key of ['out/a.out', 'out/b.out', 'out/c.out', 'out/z.out']) store.put(key, 'xy');
  const chunk = {
    entries: [],
    outputsAfter: 'out/a.out',
    outputsThrough: 'out/c.out',
    detached: ['out/z.out', 'out/zz.out'],
    foreign: new Set<string>(),
  };
  const { outputs } = await listChunk(store, chunk, places);
  expect([...outputs]).toEqual([
    ['out/b.out', 2],
    ['out/c.out', 2],
    ['out/z.out', 2],
  ]);
});
