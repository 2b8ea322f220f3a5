import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Input } from '../../input/input.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { readLines } from '../../text/json-lines.ts';
import { InputLine, isInputLine, isOptionalText, toInput, toInputLine } from './input-line.ts';
import { openRunFile } from './run-file.ts';

/** A line of `reconciled.jsonl`: an input with the key of its output, or with the reason for not having one. */
const ReconciledLine = InputLine.omit({ empty: true, defect: true }).extend({
  output: z.string().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
  certain: z.literal(true).optional(),
});

/** An input with the key of its output, or with the reason for not having one. */
export interface ReconciledEntry extends Input {
  readonly output?: string | undefined;
  readonly error?: string | undefined;
  readonly detail?: string | undefined;
  /** Absent unless a further job would also be refused the input. */
  readonly certain?: true | undefined;
}

/** A line without its end. */
export function parseReconciled(line: string): ReconciledEntry {
  const found = ReconciledLine.parse(JSON.parse(line));
  const { output, error, detail, certain } = found;
  return { ...toInput(found), output, error, detail, certain };
}

/** A line with its end. */
export function toReconciledLine(entry: ReconciledEntry): string {
  const { output, error, detail, certain } = entry;
  return `${JSON.stringify({ ...toInputLine(entry), defect: undefined, output, error, detail, certain })}\n`;
}

/**
 * The inputs of a run, in the order of their keys; with `error`, only inputs with this reason.
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
export type ShardEntry = Omit<ReconciledEntry, 'lastModified' | 'certain'>;

/** Entries of a shard. Each is read when an iteration reaches it: thousands in memory would only burden the garbage collector. */
export interface ShardEntries extends Iterable<ShardEntry> {
  /** The entries with some contents; the lines of others aren't parsed. */
  withContent(contents: ReadonlySet<string>): Iterable<ShardEntry>;
}

/** The entries with lines in a range of bytes, `end` exclusive; undefined if the file is not there. */
export async function readShardEntries(
  store: ObjectStore,
  run: RunParts,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<ShardEntries | undefined> {
  const file = bucketLayout.reconciled(run);
  const bytes = start === end ? new Uint8Array() : await store.readBytes(file, { start, end });
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  return {
    [Symbol.iterator]: () => entriesOf(text, file),
    withContent: (contents) => entriesOf(text, file, contents),
  };
}

const ETAG = '"etag":"';

function* entriesOf(text: string, file: string, contents?: ReadonlySet<string>): Generator<ShardEntry> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    if (line !== '' && contents?.has(contentIn(line)) !== false) yield parseEntry(line, file);
    start = end + 1;
  }
}

/** The content that a line names first, which is the input's own; quotes within its key are escaped. */
function contentIn(line: string): string {
  const start = line.indexOf(ETAG) + ETAG.length;
  return line.slice(start, line.indexOf('"', start));
}

function parseEntry(line: string, file: string): ShardEntry {
  const value: unknown = JSON.parse(line);
  if (isLine(value)) {
    const { output, error, detail } = value;
    return { ...toInput(value), output, error, detail };
  }
  throw new TypeError(`${file} must have an entry in each line, has ${line}`);
}

function isLine(value: unknown): value is z.infer<typeof ReconciledLine> {
  return (
    isInputLine(value) &&
    isOptionalText('output' in value ? value.output : undefined) &&
    isOptionalText('error' in value ? value.error : undefined) &&
    isOptionalText('detail' in value ? value.detail : undefined) &&
    (!('certain' in value) || value.certain === true)
  );
}
