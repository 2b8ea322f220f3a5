import type { LabelRow } from './label-rows.ts';

/** Finds the label of a record; undefined where the file has none. */
export type TruthLookup = (key: string, recordIndex: number) => string | undefined;

/**
 * Picks the labels of some inputs out of a label file as it streams by, so that memory follows the number of inputs
 * asked for and not the length of the file. Keys in the file may be whole, relative to the drop's prefix, or S3 URIs;
 * of several rows for one record the last counts. Where an input is one record, a column `index` only numbers the rows.
 */
export async function lookUpTruth(
  batches: AsyncIterable<readonly LabelRow[]>,
  keys: Iterable<string>,
  input: { readonly bucket: string; readonly prefix: string; readonly oneRecord: boolean },
): Promise<TruthLookup> {
  const wanted = new Map<string, Map<number, string>>();
  for (const key of keys) wanted.set(key, new Map());
  const uri = `s3://${input.bucket}/`;
  for await (const rows of batches) {
    for (const row of rows) {
      const key = row.key.startsWith(uri) ? row.key.slice(uri.length) : row.key;
      const found = wanted.get(key) ?? wanted.get(input.prefix + key.replace(/^\.?\//, ''));
      found?.set((input.oneRecord ? undefined : row.recordIndex) ?? WHOLE_OBJECT, row.label);
    }
  }
  return (key, recordIndex) => {
    const labels = wanted.get(key);
    return labels?.get(recordIndex) ?? labels?.get(WHOLE_OBJECT);
  };
}

const WHOLE_OBJECT = -1;
