import { open } from 'node:fs/promises';
import { kindOf } from '../../drop/drop-key.ts';
import { isTar } from '../../drop/tar-key.ts';
import { imageKind, looksLikeImage } from '../../report/image-kind.ts';
import { drawn } from '../../text/name-draw.ts';
import { listLocalFiles, type LocalFile } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';
import { type LabelFile, readLabelFile } from './label-file.ts';
import { type SampledTable, sampleTable } from './sample-table.ts';

/** The files of a folder as a drop of them would be read. */
export interface FolderInputs {
  readonly files: readonly LocalFile[];
  readonly labelFile: LabelFile | undefined;
  /**
   * Media type of the images of the sample, `application/x-image` where they differ or some browser would not show them;
   * undefined unless all are images.
   */
  readonly imageType: string | undefined;
  /** The first file, if the files are tables. */
  readonly table: SampledTable | undefined;
}

/** Number of files to read the first bytes of. */
const SAMPLED_FILES = 200;

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
  const [other] = strange;
  if (other !== undefined && 2 * strange.length < sampled.length)
    throw new Refusal(
      `${folder} holds images and ${other.relative}, which ${other.sizeBytes === 0 ? 'is empty' : 'is no PNG, JPEG, GIF, WebP or BMP'}: ` +
        'every file of a drop is sent to the model. Move other files to another folder; labels belong in labels.csv',
    );
  const areCsv = files.every(({ relative }) => /\.[ct]sv(?:\.gz)?$/i.test(relative));
  return {
    files,
    labelFile: labelFile && (await readLabelFile(labelFile, files, classes)),
    imageType: areImages
      ? kinds.size === 1 && kind !== undefined
        ? kind
        : 'application/x-image'
      : undefined,
    table: areImages ? undefined : await sampleTable(first, areCsv),
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
