import { open } from 'node:fs/promises';
import { kindOf } from '../../drop/drop-key.ts';
import { Refusal } from '../refusal.ts';
import type { LocalFile } from './local-files.ts';

/** Longest row of names. */
const MAX_HEADER_BYTES = 1_000_000;
const BYTE_ORDER_MARK = '\uFEFF';

/** Files as they are uploaded, and the row that is left out of the tables among them. */
export interface WithoutHeader {
  readonly files: readonly LocalFile[];
  /** Undefined where none is. */
  readonly header: string | undefined;
}

/**
 * Leaves out the first row of each table, which names its columns: SageMaker would send it to the model as a record.
 *
 * @throws {Refusal} if there is no table, one has a single row, or their first rows differ: one of them is a record
 */
export async function withoutHeader(files: readonly LocalFile[], folder: string): Promise<WithoutHeader> {
  let header: { readonly row: string; readonly of: string } | undefined;
  const uploaded: LocalFile[] = [];
  for (const file of files) {
    if (!/\.csv$/i.test(file.relative) || kindOf(file.relative, 'inference') !== 'file') {
      uploaded.push(file);
      continue;
    }
    const { row, bytes } = await firstRow(file.file);
    header ??= { row, of: file.relative };
    if (row !== header.row)
      throw new Refusal(
        `${file.relative} begins with ${shown(row)} and ${header.of} with ${shown(header.row)}: --without-header leaves out the same row of each .csv`,
      );
    uploaded.push({ ...file, sizeBytes: file.sizeBytes - bytes, skippedBytes: bytes });
  }
  if (header === undefined) throw new Refusal(`--without-header: ${folder} holds no .csv file`);
  return { files: uploaded, header: header.row };
}

async function firstRow(file: string): Promise<{ readonly row: string; readonly bytes: number }> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_HEADER_BYTES), 0, MAX_HEADER_BYTES, 0);
    const end = buffer.subarray(0, bytesRead).indexOf('\n');
    const text = buffer.toString('utf8', 0, Math.max(0, end)).trimEnd();
    if (end < 0 || text.split('"').length % 2 === 0)
      throw new Refusal(
        `${file} has no row of names on its first line: leave --without-header out, or correct the file`,
      );
    return { row: text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, bytes: end + 1 };
  } finally {
    await handle.close();
  }
}

/** A row in a message. */
export function shown(row: string): string {
  return JSON.stringify(row.length > 60 ? `${row.slice(0, 59)}…` : row);
}
