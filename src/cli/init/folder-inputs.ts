import { open, readFile } from 'node:fs/promises';
import { kindOf } from '../../drop/drop-key.ts';
import { isTar } from '../../drop/tar-key.ts';
import { hasHeader } from '../../init/label-column.ts';
import { csvCells } from '../../prediction/csv-cells.ts';
import { imageKind, looksLikeImage } from '../../report/image-kind.ts';
import { listLocalFiles, type LocalFile } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';
import { type LabelFile, readLabelFile } from './label-file.ts';

/** The files of a folder as a drop of them would be read. */
export interface FolderInputs {
  readonly files: readonly LocalFile[];
  readonly labelFile: LabelFile | undefined;
  /** Media type of the images of the sample, `application/x-image` where they differ or some browser would not show them; undefined unless all are images. */
  readonly imageType: string | undefined;
  /** First rows of the first file, where all are CSV. */
  readonly rows: readonly (readonly string[])[] | undefined;
  /** Names of the columns, where that file begins with a row of them, which is none of `rows`. */
  readonly columns: readonly string[] | undefined;
}

/** Files whose first bytes are read, evenly among all. */
const SAMPLED_FILES = 200;
const SAMPLED_ROWS = 200;
const SAMPLED_BYTES = 1_000_000;

/**
 * Reads a folder that is to be dropped, but for its tars.
 *
 * @throws {Refusal} if it has no input, if its label file names none of its inputs, or if most inputs are images and the rest are not
 */
export async function readFolderInputs(folder: string): Promise<FolderInputs> {
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
  const sampled = evenly(files, SAMPLED_FILES);
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
  const table = areTables ? await firstRows(first.file) : undefined;
  const columns = table !== undefined && hasHeader(table) ? table[0] : undefined;
  return {
    files,
    labelFile: labelFile && (await readLabelFile(labelFile, files)),
    imageType: areImages
      ? kinds.size === 1 && kind !== undefined
        ? kind
        : 'application/x-image'
      : undefined,
    rows: columns === undefined ? table : table?.slice(1),
    columns,
  };
}

/** At most `count` of a list, at equal distances. */
export function evenly<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count);
  return list.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
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

async function firstRows(file: string): Promise<string[][]> {
  const text = (await readFile(file)).subarray(0, SAMPLED_BYTES).toString('utf8');
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  return lines.slice(0, SAMPLED_ROWS).map((line) => csvCells(line));
}
