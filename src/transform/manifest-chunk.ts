import { listsBefore, type OutputMapping, toOutputKey } from './output-key.ts';

/** The facts about an input that its output's place depends on. */
interface Named {
  readonly name: string;
}

/** The start of a chunk, in terms of outputs. */
export interface ChunkPlace {
  /** Outputs after this key belong to the chunk and those after it (undefined: from the first) … */
  readonly outputsAfter: string | undefined;
  /** … except these, which belong to chunks before it. */
  readonly foreign: readonly string[];
}

/**
 * A run of neighboring manifest entries, with its part of the output listing.
 *
 * The parts are contiguous, so that an output without an entry is met by exactly one chunk.
 */
export interface ManifestChunk<Entry extends Named = Named> {
  readonly entries: readonly Entry[];
  /** Outputs after this key … (exclusive; undefined: from the first) */
  readonly outputsAfter: string | undefined;
  /** … up to this one belong to the chunk (inclusive; undefined: to the last). */
  readonly outputsThrough: string | undefined;
  /** The few outputs of this chunk that are listed in a later part, to be looked up one by one. */
  readonly detached: readonly string[];
  /** Outputs of earlier chunks that may be listed in this part. */
  readonly foreign: ReadonlySet<string>;
}

const FIRST: ChunkPlace = { outputsAfter: undefined, foreign: [] };

/**
 * Cuts a manifest (in byte order of keys) into chunks of about `size` entries, starting at a place between two chunks.
 *
 * Outputs are not listed in the order of their inputs if one key is a prefix of another: `a-1.out` comes before `a.out`. A stack of such
 * keys restores the order; keys still on it at a chunk's end are detached.
 */
export async function* chunkManifest<Entry extends Named>(
  manifest: AsyncIterable<Entry>,
  size: number,
  mapping: OutputMapping,
  from: ChunkPlace = FIRST,
): AsyncGenerator<ManifestChunk<Entry>> {
  let entries: Entry[] = [];
  let waiting: string[] = [];
  let { outputsAfter } = from;
  let through: string | undefined;
  const foreign = new Set(from.foreign);
  for await (const entry of manifest) {
    for (let top = waiting.at(-1); top !== undefined && !listsBefore(entry.name, top); top = waiting.at(-1)) {
      through = toOutputKey(top, mapping);
      waiting.pop();
    }
    if (entries.length >= size && through !== undefined) {
      const detached = waiting.map((key) => toOutputKey(key, mapping));
      yield { entries, outputsAfter, outputsThrough: through, detached, foreign: new Set(foreign) };
      for (const key of detached) foreign.add(key);
      [entries, waiting, outputsAfter] = [[], [], through];
    }
    entries.push(entry);
    waiting.push(entry.name);
  }
  yield { entries, outputsAfter, outputsThrough: undefined, detached: [], foreign };
}

/** The place after a chunk. */
export function placeAfter({ outputsThrough, detached, foreign }: ManifestChunk): ChunkPlace {
  return { outputsAfter: outputsThrough, foreign: [...foreign, ...detached] };
}
