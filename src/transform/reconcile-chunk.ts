import type { ManifestEntry } from '../drop/manifest-entry.ts';
import { exclusionDetail, exclusionOf } from './exclusion.ts';
import type { ManifestChunk } from './manifest-chunk.ts';
import { type OutputMapping, toOutputKey } from './output-key.ts';

/** An object of a listing, with the fields that identify its version. */
export interface CurrentInput {
  readonly etag: string;
  readonly lastModified: Date;
}

/** The objects that S3 lists for a chunk. */
export interface ChunkListing {
  /** Sizes in bytes of the outputs in the chunk's part of the listing, detached ones included, by key. */
  readonly outputs: ReadonlyMap<string, number>;
  /** By key. */
  readonly inputs: ReadonlyMap<string, CurrentInput>;
}

/** Facts that hold for every chunk of a run. */
export interface ReconcileContext extends OutputMapping {
  readonly largestAllowedBytes: number | null;
  /** The plan's job of an input. */
  readonly partOf: (entry: ManifestEntry) => number;
  /** Inputs of later jobs were not attempted. */
  readonly lastPart: number;
}

/** One input with its output or the reason why it has none. */
export interface Reconciled {
  readonly entry: ManifestEntry;
  /** Whether there is an output, even if the content has changed since. */
  readonly isWritten: boolean;
  readonly output?: { readonly key: string; readonly bytes: number };
  readonly error?:
    'empty' | 'too-large' | 'key-too-long' | 'superseded' | 'deleted' | 'model-error' | 'not-attempted';
  readonly detail?: string;
}

/** A reconciled chunk, and the first output in it that no input explains. */
export interface ReconciledChunk {
  readonly inputs: readonly Reconciled[];
  readonly unexplained: string | undefined;
}

/** Compares a chunk of the manifest with the current objects in S3: outputs, and inputs that changed meanwhile. */
export function reconcileChunk(
  chunk: ManifestChunk,
  listing: ChunkListing,
  context: ReconcileContext,
): ReconciledChunk {
  const expected = new Set<string>();
  const inputs = chunk.entries.map((entry) => {
    const outputKey = toOutputKey(entry.key, context);
    expected.add(outputKey);
    const isWritten = listing.outputs.has(outputKey);
    return { ...reconcileInput(entry, outputKey, listing, context), isWritten };
  });
  const unexplained = listing.outputs.keys().find((key) => !expected.has(key) && !chunk.foreign.has(key));
  return { inputs, unexplained };
}

function reconcileInput(
  entry: ManifestEntry,
  outputKey: string,
  listing: ChunkListing,
  { largestAllowedBytes, partOf, lastPart }: ReconcileContext,
): Omit<Reconciled, 'isWritten'> {
  const excluded = exclusionOf({ ...entry, outputKey, largestAllowedBytes });
  if (excluded !== undefined) {
    return { entry, error: excluded, detail: exclusionDetail(excluded, entry.size, largestAllowedBytes) };
  }
  const current = listing.inputs.get(entry.key);
  if (current === undefined)
    return { entry, error: 'deleted', detail: 'the object was deleted after the manifest was frozen' };
  // The same bytes uploaded again are another version, which the next generation has too; their prediction is still valid.
  if (current.etag !== entry.etag) {
    const detail = 'the object was overwritten after the manifest was frozen; the next generation has it';
    return { entry, error: 'superseded', detail };
  }
  const bytes = listing.outputs.get(outputKey);
  if (bytes !== undefined) return { entry, output: { key: outputKey, bytes } };
  return partOf(entry) > lastPart ? { entry, error: 'not-attempted' } : { entry, error: 'model-error' };
}
