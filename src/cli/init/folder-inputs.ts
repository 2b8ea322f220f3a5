import { open } from 'node:fs/promises';
import { cellText, csvCells } from '@inferdrop/table/cells';
import { kindOf } from '../../drop/drop-key.ts';
import { isTar } from '../../drop/tar-key.ts';
import { sampleRanges, wholeLines } from '../../endpoint/sample-ranges.ts';
import { hasHeader } from '../../init/label-column.ts';
import { imageKind, looksLikeImage } from '../../report/image-kind.ts';
import { DELIMITERS } from '../../table/open-table.ts';
import { drawn } from '../../text/name-draw.ts';
import { listLocalFiles, type LocalFile } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';
import { type LabelFile, readLabelFile } from './label-file.ts';

/** The files of a folder as a drop of them would be read. */
export interface FolderInputs {
  readonly files: readonly LocalFile[];
  readonly labelFile: LabelFile | undefined;
  /** Media type of the images of the sample, `application/x-image` where they differ or some browser would not show them; undefined unless all are images. */
  readonly imageType: string | undefined;
  /** Rows from all over the first file, where all are CSV. */
  readonly rows: readonly (readonly string[])[] | undefined;
  /** Names of the columns, where that file begins with a row of them, which is none of `rows`. */
  readonly columns: readonly string[] | undefined;
}

/** Files whose first bytes are read. */
const SAMPLED_FILES = 200;
const SAMPLED_ROWS = 2_000;
/** Parts of a table that are read, and the longest row of which some can be among them. */
const WINDOWS = 8;
const WINDOW_BYTES = 256 * 1024;

/**
 * Reads a folder that is to be dropped, but for its tars.
 *
 * @param classes names of the classes; empty if they aren't known yet
 * @throws {Refusal} if it has no input, if its label file names none of its inputs, or if most inputs are images and the rest are not
 */
export async function readFolderInputs(folder: string, classes: readonly string[]): Promise<FolderInputs> {
  const { files: found } = await listLocalFiles(folder);
  const dropped = found.filter(({ relative }) => kindOf(relative, 'inference') === 'file');
  const files = dropped.filter(({ relative }) => !isTar(relative));
  const labelFile = found.find(({ relative }) => kindOf(relative, 'inference') === 'labels');
  const [first] = files;
  if (first === undefined && dropped.length > 0)
    throw new Refusal(
      `${folder} holds only tars: a drop may, but init looks at inputs themselves, so give it a folder with some that are unpacked`,
    );
  if (first === undefined) throw new Refusal(`${folder} holds no file that would be an input`);
  const sampled = drawn(files, SAMPLED_FILES, ({ relative }) => relative);
  const heads = await Promise.all(sampled.map(({ file }) => firstBytes(file)));
  const kinds = new Set(heads.map((head) => imageKind(head)));
  const [kind] = kinds;
  const strange = sampled.filter((_, at) => !looksLikeImage(heads[at] ?? new Uint8Array()));
  const areImages = strange.length === 0;
  if (!areImages && 2 * strange.length < sampled.length)
    throw new Refusal(
      `${folder} holds images and ${strange[0]?.relative}, which is not an image: every file of a drop is sent to the model. Move other files to another folder; labels belong in labels.csv`,
    );
  const areTables = files.every(({ relative }) => relative.endsWith('.csv'));
  const lines = areTables ? await someLines(first) : undefined;
  const [titled] =
    lines === undefined
      ? []
      : DELIMITERS.map((one) => cellsOf(lines, one))
          .toSorted(([a], [b]) => (b?.length ?? 0) - (a?.length ?? 0))
          .filter(hasHeader);
  const table = titled ?? (lines && cellsOf(lines, ','));
  const columns = titled?.[0];
  return {
    files,
    labelFile: labelFile && (await readLabelFile(labelFile, files, classes)),
    imageType: areImages
      ? kinds.size === 1 && kind !== undefined
        ? kind
        : 'application/x-image'
      : undefined,
    rows: columns === undefined ? table : table?.slice(1),
    columns,
  };
}

async function firstBytes(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function cellsOf(lines: readonly string[], delimiter: string): string[][] {
  return lines.map((line) => csvCells(line, delimiter).map(cellText));
}

/** The first row of a table, and others from all over it: a table may be sorted by its classes. */
async function someLines({ file, sizeBytes }: LocalFile): Promise<string[]> {
  const handle = await open(file);
  try {
    const lines: string[] = [];
    for (const range of sampleRanges(sizeBytes, WINDOWS, WINDOW_BYTES)) {
      const length = range.end - range.start;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, range.start);
      lines.push(...wholeLines(buffer.subarray(0, bytesRead).toString('utf8'), range, sizeBytes));
    }
    const [first, ...others] = lines
      .map((line) => line.replace(/^\uFEFF|\r$/g, ''))
      .filter((line) => line.trim() !== '');
    const some = drawn([...others.entries()], SAMPLED_ROWS - 1, ([at, line]) => `${at} ${line}`);
    return [...(first === undefined ? [] : [first]), ...some.map(([, line]) => line)];
  } finally {
    await handle.close();
  }
}
