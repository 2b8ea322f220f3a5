import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { compareByteOrder } from '../text/byte-order.ts';
import type { LabelRow } from './label-row.ts';

/** Size of a block: a shard reads at most two blocks of a part beyond its own rows. */
const BLOCK_BYTES = 65_536;

/** A part of a label file with its rows in the byte order of their keys, then of their records, then in the order of the file. */
export const SortedPart = z.object({
  /**
   * Key of the object that holds it: one row a line, `[key, label]`, `[key, label, record index]`, or with fields
   * `[key, label, record index or null, fields]`.
   */
  object: z.string(),
  bytes: z.int().nonnegative(),
  /** The first key of each block of some thousand rows, and the byte offset of the block. */
  blocks: z.array(z.tuple([z.string(), z.int().nonnegative()])),
});
export type SortedPart = z.infer<typeof SortedPart>;

/** `labels/index.json`: the label file of a run, cut into sorted parts, in the order of the file. */
export const LabelIndex = z.object({ schema: z.literal(1), parts: z.array(SortedPart) });
export type LabelIndex = z.infer<typeof LabelIndex>;

/** Order of rows in a part; a label of the whole object comes before its records' labels. */
export function compareRows(a: LabelRow, b: LabelRow): number {
  return compareByteOrder(a.key, b.key) || (a.recordIndex ?? -1) - (b.recordIndex ?? -1);
}

/** A part in memory, before it has a place: its text compressed, some 8 MB for a million rows. */
export interface PackedPart extends Omit<SortedPart, 'object'> {
  readonly gzip: Uint8Array;
}

/** Sorts rows into a part that memory can hold many of. */
export function toPackedPart(rows: readonly LabelRow[]): PackedPart {
  const { text, ...part } = toSortedPart(rows);
  return { ...part, gzip: gzipSync(text, { level: 1 }) };
}

/** Sorts rows into a part. */
export function toSortedPart(
  rows: readonly LabelRow[],
  blockBytes = BLOCK_BYTES,
): Pick<SortedPart, 'bytes' | 'blocks'> & { readonly text: string } {
  const lines: string[] = [];
  const blocks: [string, number][] = [];
  let bytes = 0;
  for (const row of rows.toSorted(compareRows)) {
    const begun = blocks.at(-1)?.[1];
    if (begun === undefined || bytes - begun >= blockBytes) blocks.push([row.key, bytes]);
    const line = `${JSON.stringify(cellsOf(row))}\n`;
    bytes += Buffer.byteLength(line);
    lines.push(line);
  }
  return { text: lines.join(''), bytes, blocks };
}

function cellsOf({ key, label, recordIndex, fields }: LabelRow): z.input<typeof Row> {
  if (fields !== undefined) return [key, label, recordIndex ?? null, [...fields]];
  return recordIndex === undefined ? [key, label] : [key, label, recordIndex];
}

/** Byte range of a part that holds all of its rows for the keys from `first` to `last`; undefined if there are no such rows. */
export function rangeOf(
  { blocks, bytes }: SortedPart,
  { first, last }: { readonly first: string; readonly last: string },
): { readonly start: number; readonly end: number } | undefined {
  // Rows of the first key may be at the end of the block before the one that begins with it.
  const start = blocks.findLast(([key]) => compareByteOrder(key, first) < 0)?.[1] ?? 0;
  const end = blocks.find(([key]) => compareByteOrder(key, last) > 0)?.[1] ?? bytes;
  return end > start ? { start, end } : undefined;
}

const Row = z.union([
  z.tuple([z.string(), z.string()]),
  z.tuple([z.string(), z.string(), z.int().nonnegative()]),
  z.tuple([z.string(), z.string(), z.int().nonnegative().nullable(), z.array(z.string())]),
]);

/** Rows of a part, in its order. */
export function* readSortedRows(text: string): Generator<LabelRow> {
  for (const line of text.split('\n')) if (line !== '') yield readSortedRow(line);
}

/** One row of a part. */
export function readSortedRow(line: string): LabelRow {
  const row: unknown = JSON.parse(line);
  if (isPair(row)) return { key: row[0], label: row[1], recordIndex: undefined };
  const [key, label, recordIndex, fields] = Row.parse(row);
  return { key, label, recordIndex: recordIndex ?? undefined, ...(fields && { fields }) };
}

/** Whether a row is one of nearly all: a schema of several forms takes far longer than reading it. */
function isPair(row: unknown): row is readonly [string, string] {
  return Array.isArray(row) && row.length === 2 && typeof row[0] === 'string' && typeof row[1] === 'string';
}
