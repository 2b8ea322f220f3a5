import type { LabelRow } from './label-rows.ts';

/** Finds the label of a record; undefined if the file has none. */
export type TruthLookup = (key: string, recordIndex: number) => string | undefined;

/** Where the inputs of a run lie. */
export interface InputPlace {
  readonly bucket: string;
  readonly prefix: string;
}

/** Key of the input that a row names: an S3 URI, a whole key, or the part of a key after the prefix of the inputs. */
export function keyOfRow(named: string, { bucket, prefix }: InputPlace): string {
  const uri = `s3://${bucket}/`;
  if (named.startsWith(uri)) return named.slice(uri.length);
  return prefix !== '' && named.startsWith(prefix) ? named : prefix + named.replace(/^\.?\//, '');
}

/**
 * The labels of a set of inputs, picked out of a stream of rows: memory grows with the number of inputs, not the length of the file. If a
 * record has several rows, the last counts.
 */
export class TruthTable {
  readonly #wanted = new Map<string, Map<number, string>>();
  readonly #oneRecord: boolean;

  /** @param oneRecord true if an input is one record: a column `index` then only numbers the rows */
  constructor(keys: Iterable<string>, oneRecord: boolean) {
    for (const key of keys) this.#wanted.set(key, new Map());
    this.#oneRecord = oneRecord;
  }

  /** Takes a row if its key is that of an input. */
  add({ key, recordIndex, label }: LabelRow): void {
    this.#wanted.get(key)?.set((this.#oneRecord ? undefined : recordIndex) ?? WHOLE_OBJECT, label);
  }

  readonly lookUp: TruthLookup = (key, recordIndex) => {
    const labels = this.#wanted.get(key);
    return labels?.get(recordIndex) ?? labels?.get(WHOLE_OBJECT);
  };
}

const WHOLE_OBJECT = -1;
