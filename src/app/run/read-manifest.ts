import type { ObjectStore } from '../../aws/object-store.ts';
import { readLines } from '../../drop/json-lines.ts';
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

/**
 * The lines of a text object, without the empty ones.
 *
 * @throws {RunFileMissing}
 */
export async function* readObjectLines(store: ObjectStore, key: string): AsyncGenerator<string> {
  for await (const line of readLines(await openRunFile(store, key))) if (line !== '') yield line;
}
