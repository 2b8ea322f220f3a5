import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { ManifestEntry } from '../../drop/manifest-entry.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readLines } from '../../text/json-lines.ts';
import { openRunFile } from './run-file.ts';

/** A line of `reconciled.jsonl`: an input with the key of its output, or with the reason why it has none. */
const ReconciledEntry = ManifestEntry.omit({ empty: true }).extend({
  output: z.string().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
});
export type ReconciledEntry = z.infer<typeof ReconciledEntry>;

/** A line without its end. */
export function parseReconciled(line: string): ReconciledEntry {
  return ReconciledEntry.parse(JSON.parse(line));
}

/** A line with its end. */
export function toReconciledLine(entry: ReconciledEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/**
 * The inputs of a run, in the order of their keys; with `error`, those with this reason alone.
 *
 * @throws `RunFileMissing`
 */
export async function* readReconciled(
  store: ObjectStore,
  run: RunParts,
  error?: string,
): AsyncGenerator<ReconciledEntry> {
  for await (const line of readLines(await openRunFile(store, bucketLayout.reconciled(run)))) {
    // Nearly all lines are of inputs with an output: for a reason they are not worth parsing.
    if (line === '' || (error !== undefined && !line.includes(`"${error}"`))) continue;
    const entry = parseReconciled(line);
    if (error === undefined || entry.error === error) yield entry;
  }
}

/** A line of `reconciled.jsonl` as far as folding asks. */
export type ShardEntry = Omit<ReconciledEntry, 'lastModified'>;

/**
 * The entries whose lines lie in a range of bytes, `end` exclusive; undefined where the file is not there. Each is read
 * when an iteration reaches it: thousands in memory would only burden the garbage collector.
 */
export async function readShardEntries(
  store: ObjectStore,
  run: RunParts,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<Iterable<ShardEntry> | undefined> {
  if (start === end) return [];
  const file = bucketLayout.reconciled(run);
  const bytes = await store.readBytes(file, { start, end });
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  return { [Symbol.iterator]: () => entriesOf(text, file) };
}

function* entriesOf(text: string, file: string): Generator<ShardEntry> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    if (end > start) yield parseEntry(text.slice(start, end), file);
    start = end + 1;
  }
}

function parseEntry(line: string, file: string): ShardEntry {
  const entry: unknown = JSON.parse(line);
  if (isEntry(entry)) return entry;
  throw new TypeError(`${file} must have an entry in each line, has ${line}`);
}

/** By hand: ReconcileOutputs has written the lines, and checking them with a schema would take as long as reading them. */
function isEntry(value: unknown): value is ShardEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'key' in value &&
    typeof value.key === 'string' &&
    'size' in value &&
    typeof value.size === 'number' &&
    Number.isSafeInteger(value.size) &&
    value.size >= 0 &&
    'etag' in value &&
    typeof value.etag === 'string' &&
    isOptionalText('output' in value ? value.output : undefined) &&
    isOptionalText('error' in value ? value.error : undefined) &&
    isOptionalText('detail' in value ? value.detail : undefined)
  );
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
