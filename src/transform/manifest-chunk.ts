import type { ManifestEntry } from '../drop/manifest-entry.ts';
import type { OutputMapping } from './output-key.ts';
import { listsBefore, toOutputKey } from './output-key.ts';

/**
 * A run of neighbouring manifest entries, with the stretch of the output listing that is theirs.
 *
 * Stretches follow each other without gaps, so that an output no entry explains is met by exactly one chunk.
 */
export interface ManifestChunk {
  readonly entries: readonly ManifestEntry[];
  /** Outputs after this key … (exclusive; undefined: from the first) */
  readonly outputsAfter: string | undefined;
  /** … up to this one belong to the chunk (inclusive; undefined: to the last). */
  readonly outputsThrough: string | undefined;
  /** Outputs of this chunk that are listed in a later stretch, to be looked up one by one; few. */
  readonly detached: readonly string[];
  /** Outputs of earlier chunks that may be listed in this stretch. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Cuts a manifest (in byte order of keys) into chunks of about `size` entries.
 *
 * Outputs are not listed in the order of their inputs where one key begins another: `a-1.out` comes before `a.out`.
 * A stack of such keys puts them in order; what still waits on it at a chunk's end is detached.
 */
export async function* chunkManifest(
  manifest: AsyncIterable<ManifestEntry>,
  size: number,
  mapping: OutputMapping,
): AsyncGenerator<ManifestChunk> {
  let entries: ManifestEntry[] = [];
  let waiting: string[] = [];
  let outputsAfter: string | undefined;
  let through: string | undefined;
  const foreign = new Set<string>();
  for await (const entry of manifest) {
    for (let top = waiting.at(-1); top !== undefined && !listsBefore(entry.key, top); top = waiting.at(-1)) {
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
    waiting.push(entry.key);
  }
  yield { entries, outputsAfter, outputsThrough: undefined, detached: [], foreign };
}
