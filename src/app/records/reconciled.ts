import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readLines } from '../../text/json-lines.ts';
import { InputLine, isInputLine, isOptionalText } from './inputs.ts';
import { openRunFile } from './run.ts';

/** A line of `reconciled.jsonl`: an input with the key of its output, or with the reason why it has none. */
const ReconciledLine = InputLine.omit({ empty: true, defect: true }).extend({
  output: z.string().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
});

/** An input with the key of its output, or with the reason why it has none. */
export interface ReconciledEntry extends Input {
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly detail?: string | undefined;
}

/** A line without its end. */
export function parseReconciled(line: string): ReconciledEntry {
  const { key, etag, ...rest } = ReconciledLine.parse(JSON.parse(line));
  return { name: key, content: etag, ...rest };
}

/** A line with its end. */
export function toReconciledLine(entry: ReconciledEntry): string {
  const { name: key, size, content: etag, lastModified, member, label, copy, output, error, detail } = entry;
  return `${JSON.stringify({ key, size, etag, lastModified, member, label, copy, output, error, detail })}\n`;
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
    // Nearly all lines are of inputs with an output: they need not be parsed to find those with a reason.
    if (line === '' || (error !== undefined && !line.includes(`"${error}"`))) continue;
    const entry = parseReconciled(line);
    if (error === undefined || entry.error === error) yield entry;
  }
}

/** The fields of a line of `reconciled.jsonl` that folding needs. */
export type ShardEntry = Omit<ReconciledEntry, 'lastModified'>;

/**
 * The entries whose lines lie in a range of bytes, `end` exclusive; undefined if the file is not there. Each is read
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
  const value: unknown = JSON.parse(line);
  if (isLine(value)) {
    const { key, size, etag, output, error, detail, member, label, copy } = value;
    return { name: key, size, content: etag, output, error, detail, member, label, copy };
  }
  throw new TypeError(`${file} must have an entry in each line, has ${line}`);
}

function isLine(value: unknown): value is z.infer<typeof ReconciledLine> {
  return (
    isInputLine(value) &&
    isOptionalText('output' in value ? value.output : undefined) &&
    isOptionalText('error' in value ? value.error : undefined) &&
    isOptionalText('detail' in value ? value.detail : undefined)
  );
}
