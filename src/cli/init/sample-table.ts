import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { RecordUnreadable } from '@inferdrop/table/record-cutter';
import { peek, toUtf8 } from '@inferdrop/table/text-chunks';
import { HEAD_BYTES } from '../../file-kind/file-kind.ts';
import { hasHeader } from '../../init/label-column.ts';
import { DELIMITERS, rowsOf } from '../../table/head-rows.ts';
import { MAX_RECORD_BYTES } from '../../table/open-table.ts';
import type { FileRanges } from '../../table/parquet-rows.ts';
import { CSV, DOCUMENT, sourceOf, type TextSource } from '../../table/sources.ts';
import { TableRefused } from '../../table/table-columns.ts';
import { ofJson, type Value } from '../../table/value.ts';
import { jsonMembers } from '../../text/json-members.ts';
import { parsedJson } from '../../text/parsed-json.ts';
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

  add(item: T): void {
    if (this.seen++ % this.#step !== 0) return;
    this.kept.push(item);
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
 * @throws {Refusal} if a record of it has no end
 */
export async function sampleTable(file: LocalFile, isCsv: boolean): Promise<SampledTable | undefined> {
  const bytes = createReadStream(file.file);
  try {
    const { head: packed, whole } = await peek(bytes, HEAD_BYTES);
    const isPacked = packed[0] === 0x1f && packed[1] === 0x8b;
    const { head, whole: text } = await peek(toUtf8(isPacked ? gunzipped(whole) : whole), HEAD_BYTES);
    const source = sourceOf(head);
    if (source.records === 'columns') {
      if (isPacked) throw new TableRefused(`is ${source.what} within gzip: unpack it`);
      return { what: source.what, isJson: false, ...(await sampleColumns(file, source.open)) };
    }
    if (source === DOCUMENT || (source === CSV && !isCsv)) return undefined;
    return source.records === 'objects'
      ? await sampleObjects(source, text)
      : await sampleRows(source, head, text);
  } catch (error) {
    if (!(error instanceof RecordUnreadable || error instanceof TableRefused)) throw error;
    if (error instanceof TableRefused && !isCsv) return undefined;
    throw new Refusal(`${file.relative}: ${error.message}`);
  } finally {
    bytes.destroy();
  }
}

/** An error of either stream ends both, and leaves the loop. */
function gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return pipeline(Readable.from(chunks), createGunzip(), () => undefined);
}

async function sampleColumns(
  { file, sizeBytes }: LocalFile,
  openColumns: (file: FileRanges) => Promise<{
    readonly titles: readonly string[];
    readonly rows: (places: readonly number[]) => AsyncIterable<readonly (readonly Value[] | string)[]>;
  }>,
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
        if (typeof row !== 'string') sample.add(row.map(({ cell, json }) => cell ?? json));
    return { titles: table.titles, rows: sample.kept, records: sample.seen };
  } finally {
    await handle.close();
  }
}

async function sampleObjects(
  source: TextSource,
  text: AsyncIterable<Uint8Array>,
): Promise<SampledTable | undefined> {
  const sample = new Sample<ReadonlyMap<string, Value>>();
  for await (const records of source.read(text, { delimiter: ',', maxBytes: MAX_RECORD_BYTES }))
    for (const { bytes } of records) {
      const record = parsedJson(bytes.toString());
      if (typeof record !== 'object' || record === null || Array.isArray(record)) continue;
      const members = jsonMembers(bytes.toString()).entries();
      sample.add(new Map(members.map(([name, json]) => [name, ofJson(json)])));
    }
  const titles = [...(sample.kept[0]?.keys() ?? [])];
  const rows = sample.kept.map((one) => titles.map((title) => one.get(title)?.cell));
  const known = rows.filter((row) => row.every((cell) => cell !== undefined));
  return known.length === 0
    ? undefined
    : { what: source.what, isJson: true, titles, rows: known, records: sample.seen };
}

async function sampleRows(
  source: TextSource,
  head: Buffer,
  text: AsyncIterable<Uint8Array>,
): Promise<SampledTable> {
  const delimiter = source === CSV ? delimiterIn(head) : ',';
  const sample = new Sample<readonly string[]>();
  let first: readonly string[] | undefined;
  for await (const records of source.read(text, { delimiter, maxBytes: MAX_RECORD_BYTES }))
    for (const { bytes } of records) {
      const cells = source.cells(bytes.toString(), delimiter)?.map((cell) => source.value(cell).cell ?? cell);
      if (cells === undefined || (cells.length === 1 && cells[0]?.trim() === '')) continue;
      if (first === undefined) first = cells;
      else sample.add(cells);
    }
  const rows = first === undefined ? sample.kept : [first, ...sample.kept];
  const titles = hasHeader(rows) ? first : undefined;
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

/** The delimiter under which a row of titles is widest; a comma for a table without titles, as the opener reads it. */
function delimiterIn(head: Buffer): string {
  const [widest] = DELIMITERS.map((delimiter) => ({ delimiter, rows: rowsOf(CSV, head, delimiter) }))
    .toSorted(({ rows: [a] }, { rows: [b] }) => (b?.length ?? 0) - (a?.length ?? 0))
    .filter(({ rows }) => hasHeader(rows));
  return widest?.delimiter ?? ',';
}
