import type { LabelRow } from '../../../label/label-row.ts';
import { compareByteOrder } from '../../../text/byte-order.ts';

/** The label of an input by its name; ask for names in order. */
export type LabelInOrder = (name: string) => string | undefined | Promise<string | undefined>;

/** Reads labels from sorted rows, in one pass. Of several rows for one input the last counts, as it does in scoring. */
export function labelsInOrder(batches: AsyncIterator<readonly LabelRow[]>): LabelInOrder {
  let rows: readonly LabelRow[] = [];
  let at = 0;
  const head = async (): Promise<LabelRow | undefined> => {
    while (at === rows.length) {
      const next = await batches.next();
      if (next.done === true) return undefined;
      [rows, at] = [next.value, 0];
    }
    return rows[at];
  };
  return async (name) => {
    let label: string | undefined;
    for (let row = await head(); row !== undefined; row = await head()) {
      const order = compareByteOrder(row.key, name);
      if (order > 0) break;
      if (order === 0) label = row.label;
      at += 1;
    }
    return label;
  };
}
