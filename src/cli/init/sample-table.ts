import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { peek, toUtf8 } from '@inferdrop/table/internal/text-chunks';
import { RecordUnreadable, type TableRecord } from '@inferdrop/table/record-cutter';
import { HEAD_BYTES } from '../../file-kind/file-kind.ts';
import { isZipError } from '../../file-kind/unpacked-head.ts';
import { hasHeader } from '../../init/label-column.ts';
import { DELIMITERS, MAX_RECORD_BYTES, peekRows, rowsOf } from '../../table/head-rows.ts';
import type { FileRanges, ParquetTable } from '../../table/parquet-rows.ts';
import { CSV, DOCUMENT, sourceOf, type TextSource } from '../../table/sources.ts';
import { areNumbered, TableRefused } from '../../table/table-columns.ts';
import { ofJson, type Value } from '../../table/value.ts';
import { jsonMembers } from '../../text/json-members.ts';
import { parsedJson } from '../../text/parse-json.ts';
import type { LocalFile } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';

/** A table as the opener of a run reads it, with a sample of its rows. */
export interface SampledTable {
  /** Words on its format. */
  readonly what: string;
  readonly isJson: boolean;
  /** Titles of its columns, if it has any. */
  readonly titles: readonly string[] | undefined;
  /** Cells of rows from all over it, which may be sorted by its classes. */
  readonly rows: readonly (readonly string[])[];
  /** Number of its records. */
  readonly records: number;
}

/** Rows that are kept at least, if there are as many. */
const SAMPLED_ROWS = 2_000;

/** Keeps each nth of a sequence, so that memory holds some of any length. */
class Sample<T> {
  kept: T[] = [];
  seen = 0;
  #step = 1;

  /** @param make makes the one at hand, if it is kept */
  add(make: () => T): void {
    if (this.seen++ % this.#step !== 0) return;
    this.kept.push(make());
    if (this.kept.length < 2 * SAMPLED_ROWS) return;
    this.kept = this.kept.filter((_, at) => at % 2 === 0);
    this.#step *= 2;
  }
}

/**
 * Reads a file as a table.
 *
 * @param isCsv whether a text that isn't JSON holds rows: nothing but the name of the file tells
 * @returns undefined if it's none, or JSON with lists and objects in its fields
 * @throws {Refusal} if a record of it has no end, or isn't UTF-8
 */
export async function sampleTable(file: LocalFile, isCsv: boolean): Promise<SampledTable | undefined> {
  const bytes = createReadStream(file.file);
  try {
    const { head: packed, whole } = await peek(bytes, HEAD_BYTES);
    const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
    const begun = await peek(toUtf8(isPacked ? gunzipped(whole) : whole), HEAD_BYTES);
    const source = sourceOf(begun.head.subarray(0, HEAD_BYTES));
    if (source.records === 'columns') {
      if (isPacked) throw new TableRefused(`is ${source.what} within gzip: unpack it`);
      return { what: source.what, isJson: false, ...(await sampleColumns(file, source.open)) };
    }
    if (source === DOCUMENT || (source === CSV && !isCsv)) return undefined;
    return source.records === 'objects'
      ? await sampleObjects(file, source, begun.whole)
      : await sampleRows(file, source, await peekRows(source, begun));
  } catch (error) {
    if (!(error instanceof RecordUnreadable || error instanceof TableRefused)) throw error;
    if (error instanceof TableRefused && !isCsv) return undefined;
    throw new Refusal(`${file.relative}: ${error.message}`);
  } finally {
    bytes.destroy();
  }
}

/** @throws {TableRefused} where gzip can't unpack on */
async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    // An error of either stream closes both, and leaves the loop.
    yield* pipeline(Readable.from(chunks), createGunzip(), () => undefined);
  } catch (error) {
    if (!isZipError(error)) throw error;
    throw new TableRefused(`cannot be unzipped to its end (${error.message}): take the whole file`);
  }
}

async function sampleColumns(
  { file, sizeBytes }: LocalFile,
  openColumns: (file: FileRanges) => Promise<ParquetTable>,
): Promise<Pick<SampledTable, 'titles' | 'rows' | 'records'>> {
  const handle = await open(file);
  try {
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer.subarray(0, bytesRead);
    };
    const table = await openColumns({ sizeBytes, read });
    const sample = new Sample<readonly string[]>();
    for await (const rows of table.rows([...table.titles.keys()]))
      for (const row of rows)
        if (typeof row !== 'string') sample.add(() => row.map(({ cell, json }) => cell ?? json));
    return { titles: table.titles, rows: sample.kept, records: sample.seen };
  } finally {
    await handle.close();
  }
}

/** @throws {Refusal} if it isn't UTF-8: a run would count the record as an error, and a class of it would have another name here */
function textOf({ bytes, line }: TableRecord, { relative }: LocalFile): string {
  if (!isUtf8(bytes)) throw new Refusal(`${relative}: line ${line} is not UTF-8: save the file as CSV UTF-8`);
  return bytes.toString();
}

async function sampleObjects(
  file: LocalFile,
  source: TextSource,
  whole: AsyncIterable<Uint8Array>,
): Promise<SampledTable | undefined> {
  const sample = new Sample<ReadonlyMap<string, Value>>();
  for await (const records of source.read(whole, { delimiter: ',', maxBytes: MAX_RECORD_BYTES }))
    for (const cut of records) {
      const text = textOf(cut, file);
      const record = parsedJson(text);
      if (typeof record !== 'object' || record === null || Array.isArray(record)) continue;
      sample.add(
        () =>
          new Map(
            jsonMembers(text)
              .entries()
              .map(([name, json]) => [name, ofJson(json)]),
          ),
      );
    }
  const titles = [...(sample.kept[0]?.keys() ?? [])];
  const rows = sample.kept.map((one) => titles.map((title) => one.get(title)?.cell));
  const known = rows.filter((row) => row.every((cell) => cell !== undefined));
  return known.length === 0
    ? undefined
    : { what: source.what, isJson: true, titles, rows: known, records: sample.seen };
}

async function sampleRows(
  file: LocalFile,
  source: TextSource,
  { head, whole }: { readonly head: Buffer; readonly whole: AsyncIterable<Uint8Array> },
): Promise<SampledTable> {
  const delimiter = source === CSV ? delimiterIn(head) : ',';
  const valueOf = (cell: string): string => source.value(cell).cell ?? cell;
  const sample = new Sample<readonly string[]>();
  let first: readonly string[] | undefined;
  for await (const records of source.read(whole, { delimiter, maxBytes: MAX_RECORD_BYTES }))
    for (const record of records) {
      const cells = source.cells(textOf(record, file), delimiter);
      if (cells === undefined || (cells.length === 1 && valueOf(cells[0] ?? '').trim() === '')) continue;
      if (first === undefined) first = cells.map(valueOf);
      else sample.add(() => cells.map(valueOf));
    }
  const rows = first === undefined ? sample.kept : [first, ...sample.kept];
  const titles = isTitled(rows) ? first : undefined;
  const between =
    source === CSV ? `, ${delimiter === '\t' ? 'a tab' : JSON.stringify(delimiter)} between cells` : '';
  return {
    what: `${source.what}${between}, ${titles === undefined ? 'no titles' : 'a row of titles'}`,
    isJson: source !== CSV,
    titles,
    rows: titles === undefined ? rows : sample.kept,
    records: sample.seen + (first !== undefined && titles === undefined ? 1 : 0),
  };
}

/** Whether a table begins with titles: texts above numbers, or the numbers that pandas gives columns without names. */
function isTitled(rows: readonly (readonly string[])[]): boolean {
  return hasHeader(rows) || (rows.length > 1 && areNumbered(rows[0] ?? [], rows[1] ?? []));
}

/** The delimiter under which a row of titles is widest; a comma for a table without titles, as the opener reads it. */
function delimiterIn(head: Buffer): string {
  const [widest] = DELIMITERS.map((delimiter) => ({ delimiter, rows: rowsOf(CSV, head, delimiter) }))
    .toSorted(({ rows: [a] }, { rows: [b] }) => (b?.length ?? 0) - (a?.length ?? 0))
    .filter(({ rows }) => isTitled(rows));
  return widest?.delimiter ?? ',';
}
