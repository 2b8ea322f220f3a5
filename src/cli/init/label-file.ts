import { createReadStream } from 'node:fs';
import { type ChooseColumns, NamedInputs } from '../../label/label-columns.ts';
import { labelRows } from '../../label/label-rows.ts';
import { keyOfRow, NameForm } from '../../label/truth-in-file.ts';
import type { LocalFile } from '../files/local-files.ts';
import { Refusal } from '../refusal.ts';

/** A label file next to the inputs of a folder. */
export interface LabelFile {
  readonly name: string;
  /** Labels of all its rows with a key that is a file of the folder. */
  readonly labels: readonly string[];
  /** The last label of each of these files, by its path below the folder. */
  readonly byFile: ReadonlyMap<string, string>;
}

/**
 * Reads the label file of a folder as a run reads it.
 *
 * @throws {LabelFileUnreadable} with the line that cannot be read
 * @throws {Refusal} if no row belongs to a file
 */
export async function readLabelFile(
  { file, relative: name }: LocalFile,
  inputs: readonly LocalFile[],
  classes: readonly string[],
): Promise<LabelFile> {
  const known = new Set(inputs.map(({ relative }) => relative));
  const form = new NameForm('');
  for (const { relative } of inputs) form.add(relative);
  const labels: string[] = [];
  const byFile = new Map<string, string>();
  let first: string | undefined;
  const nameOf = (cell: string): string => keyOfRow(cell, { bucket: '', prefix: '' });
  const choose: ChooseColumns = (head) => {
    const named = new NamedInputs(head, nameOf);
    for (const { relative } of inputs) named.add(relative);
    return named.decide({ classes, column: null, fields: [] });
  };
  for await (const rows of labelRows(name, createReadStream(file), { choose }))
    for (const { key, label } of rows) {
      first ??= key;
      const named = form.nameOf(nameOf(key));
      if (!known.has(named)) continue;
      labels.push(label);
      byFile.set(named, label);
    }
  if (first !== undefined && labels.length === 0)
    throw new Refusal(
      `${file} names no file of the folder: its first key is ${JSON.stringify(first)}, and a file is ` +
        `${JSON.stringify(inputs[0]?.relative)}; keys are paths below the folder, with their extensions`,
    );
  return { name, labels, byFile };
}
