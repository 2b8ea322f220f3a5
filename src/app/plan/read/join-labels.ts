import type { LabelRow } from '../../../label/label-row.ts';
import type { LabelTally } from '../../../label/label-tally.ts';
import { compareByteOrder } from '../../../text/byte-order.ts';

/** Keys without an input that are looked up in S3 at once. */
const LOOKED_UP_AT_ONCE = 10_000;
/** Cap on the keys to look up, because each takes a page of a listing; beyond it, a key that isn't an input counts as missing. */
const MAX_LOOKED_UP = 1_000_000;

/** Which of the keys, in byte order, exist. */
export type ExistingKeys = (keys: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Compares the inputs that a run predicts, in their order, with the sorted rows of its label file: one pass over both, in bounded memory. A
 * row may name an input that was not drawn, or a file of another generation of the drop: only a row that names neither is told.
 */
export class LabelJoin {
  readonly #rows: AsyncIterator<readonly LabelRow[]>;
  readonly #tally: LabelTally;
  readonly #existing: ExistingKeys;
  readonly #onRow: (row: LabelRow) => void;
  /** Names of all inputs of the run's manifest, in their order. */
  readonly #inputs: AsyncIterator<{ readonly name: string }>;
  #input: string | undefined = '';
  #batch: readonly LabelRow[] = [];
  #at = 0;
  #before: LabelRow | undefined;
  #isTold = false;
  #unmatched: LabelRow[] = [];
  #lookedUp = 0;

  /** @param onRow called for each row of an input */
  constructor(
    rows: AsyncIterator<readonly LabelRow[]>,
    tally: LabelTally,
    {
      inputs,
      existing,
    }: { readonly inputs: AsyncIterator<{ readonly name: string }>; readonly existing: ExistingKeys },
    onRow: (row: LabelRow) => void = () => undefined,
  ) {
    this.#rows = rows;
    this.#tally = tally;
    this.#inputs = inputs;
    this.#existing = existing;
    this.#onRow = onRow;
  }

  /** Takes the next inputs. */
  async look(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      let isLabeled = false;
      for (let row = await this.#next(); row !== undefined; row = await this.#next()) {
        const order = compareByteOrder(row.key, key);
        if (order > 0) break;
        this.#at += 1;
        if (order < 0) await this.#keepUnmatched(row);
        else {
          isLabeled = true;
          this.#judge(row);
        }
      }
      this.#tally.input(key, isLabeled);
    }
  }

  /** Takes the rows after the last input. */
  async finish(): Promise<void> {
    for (let row = await this.#next(); row !== undefined; row = await this.#next()) {
      this.#at += 1;
      await this.#keepUnmatched(row);
    }
    await this.#inputs.return?.();
    await this.#lookUp();
  }

  /** A promise only if the next batch must be read. */
  #next(): LabelRow | undefined | Promise<LabelRow | undefined> {
    return this.#at < this.#batch.length ? this.#batch[this.#at] : this.#read();
  }

  async #read(): Promise<LabelRow | undefined> {
    const next = await this.#rows.next();
    if (next.done === true) return undefined;
    this.#batch = next.value;
    this.#at = 0;
    return this.#batch[0];
  }

  #judge(row: LabelRow): void {
    this.#onRow(row);
    this.#tally.label(placeOf(row), row.label);
    const before = this.#before;
    const isSame = before?.key === row.key && before.recordIndex === row.recordIndex;
    if (!isSame) this.#isTold = false;
    else if (before.label !== row.label && !this.#isTold) {
      this.#isTold = true;
      this.#tally.conflict(placeOf(row), before.label, row.label);
    }
    this.#before = row;
  }

  async #keepUnmatched(row: LabelRow): Promise<void> {
    this.#tally.also(row.label);
    while (this.#input !== undefined && compareByteOrder(this.#input, row.key) < 0) {
      const next = await this.#inputs.next();
      this.#input = next.done === true ? undefined : next.value.name;
    }
    if (this.#input === row.key) return;
    this.#unmatched.push(row);
    if (this.#unmatched.length === LOOKED_UP_AT_ONCE) await this.#lookUp();
  }

  async #lookUp(): Promise<void> {
    const keys = [...new Set(this.#unmatched.map(({ key }) => key))];
    const isWithin = this.#lookedUp < MAX_LOOKED_UP;
    const files = isWithin ? await this.#existing(keys) : new Set<string>();
    this.#lookedUp += keys.length;
    for (const row of this.#unmatched) if (!files.has(row.key)) this.#tally.noInput(placeOf(row));
    this.#unmatched = [];
  }
}

function placeOf({ key, recordIndex }: LabelRow): string {
  return recordIndex === undefined ? key : `${key}, record ${recordIndex}`;
}
