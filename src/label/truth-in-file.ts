import type { LabelRow } from './label-row.ts';

/** Finds the label of a record; undefined if the file has no label for it. */
type TruthLookup = (key: string, recordIndex: number) => string | undefined;

/** Finds the further columns of a record's row; undefined if the file has no row. */
export type FieldsLookup = (key: string, recordIndex: number) => readonly string[] | undefined;

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

/** Whether a text may be written in two ways: macOS writes "é" as an e and an accent, others as one letter. */
export function hasAccents(text: string): boolean {
  return /\P{ASCII}/u.test(text);
}

/**
 * The way in which the names of a drop write letters with accents, which the keys of a label file may write in another: composed (NFC), or
 * decomposed (NFD) as macOS writes them. In a drop that has both, two names may look alike, so that each key names only what
 * is written as it is.
 */
export class NameForm {
  readonly #prefix: string;
  #isComposed = true;
  #isDecomposed = true;

  /** @param prefix the part that all names share, and that isn't the files' own */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Takes the name of an input. */
  add(name: string): void {
    if (!hasAccents(name)) return;
    const { own } = this.#split(name);
    this.#isComposed &&= own === own.normalize('NFC');
    this.#isDecomposed &&= own === own.normalize('NFD');
  }

  /** Name of the input that a key means, however the key writes it. */
  nameOf(key: string): string {
    if (this.#isComposed === this.#isDecomposed || !hasAccents(key)) return key;
    const { shared, own } = this.#split(key);
    return shared + own.normalize(this.#isComposed ? 'NFC' : 'NFD');
  }

  #split(name: string): { readonly shared: string; readonly own: string } {
    const shared = name.startsWith(this.#prefix) ? this.#prefix : '';
    return { shared, own: name.slice(shared.length) };
  }
}

/**
 * The labels of a set of inputs, picked out of a stream of rows: memory grows with the number of inputs, not the length of the file. If a
 * record has several rows, the last counts.
 */
export class TruthTable {
  /** Rows of whole objects, by the keys that are wanted. */
  readonly #whole = new Map<string, LabelRow | undefined>();
  /** Rows of records, by key and place. */
  readonly #records = new Map<string, Map<number, LabelRow>>();
  readonly #oneRecord: boolean;

  /** @param oneRecord true if an input is one record: a column `index` then only numbers the rows */
  constructor(keys: Iterable<string>, oneRecord: boolean) {
    for (const key of keys) this.#whole.set(key, undefined);
    this.#oneRecord = oneRecord;
  }

  /** Takes a row if its key is an input's. */
  add(row: LabelRow): void {
    const { key, recordIndex } = row;
    if (!this.#whole.has(key)) return;
    if (this.#oneRecord || recordIndex === undefined) this.#whole.set(key, row);
    else
      this.#records.set(key, (this.#records.get(key) ?? new Map<number, LabelRow>()).set(recordIndex, row));
  }

  readonly lookUp: TruthLookup = (key, recordIndex) => this.#rowOf(key, recordIndex)?.label;

  readonly fieldsOf: FieldsLookup = (key, recordIndex) => this.#rowOf(key, recordIndex)?.fields;

  /** Places of the records that have rows of their own; undefined if the input has no such records. */
  placesOf(key: string): Iterable<number> | undefined {
    return this.#records.get(key)?.keys();
  }

  #rowOf(key: string, recordIndex: number): LabelRow | undefined {
    return this.#records.get(key)?.get(recordIndex) ?? this.#whole.get(key);
  }
}
