import { createReadStream } from 'node:fs';
import { labelRows } from '../../label/label-rows.ts';
import { keyOfRow } from '../../label/truth-in-file.ts';
import type { LocalFile } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';

/** A label file beside the inputs of a folder. */
export interface LabelFile {
  readonly name: string;
  /** Labels of all its rows whose key is a file of the folder. */
  readonly labels: readonly string[];
  /** The last label of each of these files, by its path below the folder. */
  readonly byFile: ReadonlyMap<string, string>;
}

/**
 * Reads the label file of a folder as a run reads it.
 *
 * @throws {LabelFileUnreadable} with the line that cannot be read
 * @throws {Refusal} if no row is that of a file
 */
export async function readLabelFile(
  { file, relative: name }: LocalFile,
  inputs: readonly LocalFile[],
): Promise<LabelFile> {
  const known = new Set(inputs.map(({ relative }) => relative));
  const labels: string[] = [];
  const byFile = new Map<string, string>();
  let first: string | undefined;
  for await (const rows of labelRows(name, createReadStream(file)))
    for (const { key, label } of rows) {
      first ??= key;
      const named = keyOfRow(key, { bucket: '', prefix: '' });
      if (!known.has(named)) continue;
      labels.push(label);
      byFile.set(named, label);
    }
  if (first !== undefined && labels.length === 0)
    throw new Refusal(
      `${file} names no file of the folder: its first key is ${JSON.stringify(first)}, and a file is ${JSON.stringify(inputs[0]?.relative)}; keys are paths below the folder, with their extensions`,
    );
  return { name, labels, byFile };
}
