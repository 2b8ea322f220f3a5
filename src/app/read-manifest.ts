import type { ObjectStore } from '../aws/object-store.ts';
import { ManifestEntry } from '../drop/manifest-entry.ts';
import { RunFileMissing } from './run-file.ts';

/**
 * The entries of a manifest, in its order, as they are read.
 *
 * @throws {RunFileMissing}
 */
export async function* readManifest(store: ObjectStore, key: string): AsyncGenerator<ManifestEntry> {
  for await (const line of readLines(store, key)) yield ManifestEntry.parse(JSON.parse(line));
}

/**
 * The lines of a text object, without the empty ones. Only a line feed ends a line: node's readline would also split at
 * U+2028, which a key may hold and JSON leaves as it is.
 *
 * @throws {RunFileMissing}
 */
export async function* readLines(store: ObjectStore, key: string): AsyncGenerator<string> {
  const stream: AsyncIterable<Uint8Array> | undefined = await store.readStream(key);
  if (stream === undefined)
    throw new RunFileMissing(`${key} is not there: an earlier step of the run must have written it`);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
