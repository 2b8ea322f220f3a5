import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { isTar } from '../../drop/tar-key.ts';
import { isZipError } from '../../file-kind/unpacked-head.ts';
import { openLines } from '../../table/open-lines.ts';
import { type OpenedRecord, openTable } from '../../table/open-table.ts';
import type { FileRanges } from '../../table/parquet-rows.ts';
import { TableRefused } from '../../table/table-columns.ts';
import type { IndexSettings } from '../records/tars.ts';
import { readUnzipped } from './unpack-tar.ts';

/**
 * Opens the records of a table, or says why it isn't one that was listed. Leaving the loop cancels the request.
 *
 * @param opening takes names that are no column title; how many records were opened before
 * @throws {TableRefused} while records are read
 */
export async function openRows(
  source: ObjectStore,
  object: Pick<ManifestEntry, 'key' | 'etag' | 'size'>,
  table: NonNullable<IndexSettings['table']>,
  opening: { readonly onUnknown?: (titles: readonly string[]) => void; readonly from?: number } = {},
): Promise<{ readonly rows: AsyncGenerator<readonly OpenedRecord[]> } | { readonly defect: string }> {
  const opened = isTar(object.key)
    ? { defect: 'is a tar, and this pipeline opens tables: drop the tables that are in it' }
    : await readUnzipped(source, object);
  if ('defect' in opened) return opened;
  const { bytes, isPacked, close } = opened;
  const ranges = isPacked ? undefined : rangesOf(source, object, close);
  const records =
    'features' in table
      ? openTable(bytes, table, { ...opening, ranges })
      : openLines(bytes, table, opening.from);
  return { rows: unlessDamaged(records, opened) };
}

/** Ranges of an object's bytes. @param close stops the stream of all its bytes */
function rangesOf(
  source: ObjectStore,
  { key, size, etag }: Pick<ManifestEntry, 'key' | 'etag' | 'size'>,
  close: () => void,
): FileRanges {
  return {
    sizeBytes: size,
    async read(start, end) {
      close();
      const bytes = await source.readBytes(key, { start, end, etag });
      if (bytes === undefined) throw new Error(`${key} was replaced while it was read`);
      return bytes;
    },
  };
}

/** Refuses a file that gzip can't unpack to its end, since nobody could say how many records it has. */
async function* unlessDamaged<T>(
  records: AsyncIterable<T>,
  { broken, close }: { readonly broken: readonly unknown[]; readonly close: () => void },
): AsyncGenerator<T> {
  try {
    yield* records;
  } catch (error) {
    if (broken.length > 0 || !isZipError(error)) throw broken[0] ?? error;
    throw new TableRefused(`cannot be unzipped to its end (${error.message}): take the whole file`);
  } finally {
    close();
  }
}
