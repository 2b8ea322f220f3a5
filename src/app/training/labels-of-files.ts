import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { NamedInputs } from '../../label/label-columns.ts';
import { LabelFileUnreadable } from '../../label/label-row.ts';
import { labelRows } from '../../label/label-rows.ts';
import { keyOfRow } from '../../label/truth-in-file.ts';
import { toPlainPattern, truthByFolder, truthByPattern } from '../../label/truth-in-key.ts';
import type { TruthSource } from '../../pipeline/label-settings.ts';

/** Files that no run has taken yet, and where their labels are. */
interface LabeledFiles {
  readonly truth: TruthSource;
  readonly classes: readonly string[];
  /** Store of the bucket that has them. */
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly keys: () => AsyncIterable<{ readonly key: string }>;
}

/**
 * Takes each label that folders, names or a label file give to files.
 *
 * @returns false if the label file isn't there, or can't be read: next to files that only a script reads, it may be anything
 */
export async function labelsOfFiles(
  { truth, classes, store, prefix, keys }: LabeledFiles,
  take: (label: string) => void,
): Promise<boolean> {
  if (truth?.from === 'file') {
    const { path, column } = truth;
    const file = await store.readStream(`${prefix}${path}`);
    if (file === undefined) return false;
    const choose = async (head: readonly (readonly string[])[]) => {
      const inputs = new NamedInputs(head, (cell) => keyOfRow(cell, { bucket: store.bucket, prefix }));
      for await (const { key } of keys()) inputs.add(key);
      return inputs.decide({ classes, column, fields: [] });
    };
    try {
      for await (const rows of labelRows(path, file, { column, choose }))
        for (const { label } of rows) take(label);
    } catch (error) {
      if (error instanceof LabelFileUnreadable) return false;
      throw error;
    }
    return true;
  }
  if (truth?.from !== 'folder' && truth?.from !== 'key') return true;
  if (truth.from === 'key' && toPlainPattern(truth.pattern) === undefined) return true;
  const truthOf = truth.from === 'folder' ? truthByFolder(prefix) : truthByPattern(truth.pattern);
  for await (const { key } of keys()) {
    const label = truthOf(key);
    if (label !== undefined) take(label);
  }
  return true;
}
