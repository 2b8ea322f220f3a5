import type { ObjectStore } from '../../aws/object-store.ts';
import { readLines } from '../../text/json-lines.ts';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { openRunFile } from './run-file.ts';

/**
 * The entries of a manifest, in its order, as they are read.
 *
 * @throws {RunFileMissing}
 */
export async function* readManifest(store: ObjectStore, key: string): AsyncGenerator<ManifestEntry> {
  for await (const line of readObjectLines(store, key)) yield ManifestEntry.parse(JSON.parse(line));
}

/** An entry with the place in its file, in bytes, that follows it. */
export type PlacedEntry = ManifestEntry & { readonly end: number };

/**
 * The entries of a manifest from a place between two lines on.
 *
 * @throws {RunFileMissing}
 */
export async function* readManifestFrom(
  store: ObjectStore,
  key: string,
  start: number,
): AsyncGenerator<PlacedEntry> {
  let end = start;
  for await (const line of readLines(await openRunFile(store, key, start))) {
    end += Buffer.byteLength(line) + 1;
    if (line !== '') yield { ...ManifestEntry.parse(JSON.parse(line)), end };
  }
}

/**
 * The lines of a text object, without the empty ones.
 *
 * @throws {RunFileMissing}
 */
export async function* readObjectLines(store: ObjectStore, key: string): AsyncGenerator<string> {
  for await (const line of readLines(await openRunFile(store, key))) if (line !== '') yield line;
}
