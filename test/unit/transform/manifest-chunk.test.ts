import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareByteOrder } from '../../../src/text/byte-order.ts';
import {
  chunkManifest,
  type ChunkPlace,
  type ManifestChunk,
  placeAfter,
} from '../../../src/transform/manifest-chunk.ts';
import { toOutputKey } from '../../../src/transform/output-key.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const mapping = { inputPrefix: 'in/', outputPrefix: 'out/' };

async function* entriesOf(names: readonly string[]): AsyncGenerator<{ readonly name: string }> {
  for (const name of [...new Set(names)].toSorted(compareByteOrder)) {
    yield { name: `in/${name}` };
  }
}

async function chunksOf(names: readonly string[], size: number): Promise<ManifestChunk[]> {
  return collect(chunkManifest(entriesOf(names), size, mapping));
}

/** The same where each chunk is cut by another invocation, which knows only where the one before has ended. */
async function chunksOneByOne(names: readonly string[], size: number): Promise<ManifestChunk[]> {
  const entries = await collect(entriesOf(names));
  const chunks: ManifestChunk[] = [];
  for (let place: ChunkPlace | undefined; ;) {
    const done = chunks.reduce((sum, chunk) => sum + chunk.entries.length, 0);
    const rest = (async function* () {
      yield* entries.slice(done);
    })();
    const { value: chunk } = await chunkManifest(rest, size, mapping, place).next();
    chunks.push(chunk!);
    if (chunk!.outputsThrough === undefined) return chunks;
    place = placeAfter(chunk!);
  }
}

/** Outputs of a listing that fall to a chunk. */
function listed(chunk: ManifestChunk, outputs: readonly string[]): string[] {
  return outputs.filter(
    (key) =>
      (chunk.outputsAfter === undefined || compareByteOrder(key, chunk.outputsAfter) > 0) &&
      (chunk.outputsThrough === undefined || compareByteOrder(key, chunk.outputsThrough) <= 0),
  );
}

// Few characters around `.` in byte order, so that keys often begin one another.
const name = fc.string({
  unit: fc.constantFrom('a', '-', '.', '/', 'o', 'é', '\u{1F600}'),
  minLength: 1,
  maxLength: 6,
});

test.each([
  ['cut at once', chunksOf],
  ['cut one by one', chunksOneByOne],
])(
  'of chunks %s, every output is met by that of its input, and no other output by two or none',
  async (_, cut) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(name, { maxLength: 40 }),
        fc.array(name, { maxLength: 5 }),
        fc.integer({ min: 1, max: 7 }),
        async (names, strangers, size) => {
          const chunks = await cut(names, size);
          const keys = new Set(names.map((input) => toOutputKey(`in/${input}`, mapping)));
          const strange = strangers.map((input) => `out/${input}.out`).filter((key) => !keys.has(key));
          const outputs = [...new Set([...keys, ...strange])].toSorted(compareByteOrder);
          const unexplained: string[] = [];
          for (const chunk of chunks) {
            const own = new Set(chunk.entries.map((entry) => toOutputKey(entry.name, mapping)));
            const seen = listed(chunk, outputs);
            const reachable = new Set([...seen, ...chunk.detached]);
            for (const key of own) expect(reachable.has(key)).toBe(true);
            unexplained.push(...seen.filter((key) => !own.has(key) && !chunk.foreign.has(key)));
          }
          expect(unexplained).toEqual([...new Set(strange)].toSorted(compareByteOrder));
        },
      ),
      { numRuns: 500 },
    );
  },
);

test('chunks hold the whole manifest in its order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (names, size) => {
        const keys = (await chunksOf(names, size)).flatMap(({ entries }) =>
          entries.map((entry) => entry.name),
        );
        expect(keys).toEqual([...new Set(names)].toSorted(compareByteOrder).map((input) => `in/${input}`));
      },
    ),
  );
});

test('a chunk of ordinary keys detaches nothing', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `img-${String(index).padStart(3, '0')}.png`);
  const chunks = await chunksOf(names, 10);
  expect(chunks.map(({ entries }) => entries.length)).toEqual(Array.from({ length: 10 }, () => 10));
  expect(chunks.flatMap(({ detached }) => detached)).toEqual([]);
});
