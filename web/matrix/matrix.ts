import type { MatrixData } from '../../src/report/page/matrix-data.ts';
import { shareText } from '../../src/report/text/share-text.ts';
import { grouped } from '../../src/text/figures.ts';

/** Units of a cell, each with the line that explains it. */
export const UNITS = {
  row: 'Per cent of the row: recall on the diagonal.',
  col: 'Per cent of the column: precision on the diagonal.',
  all: 'Per cent of all records.',
  count: 'Records.',
} as const;

/** Unit of a cell's number. */
export type Unit = keyof typeof UNITS;

/** Orders of rows and columns. */
export const ORDERS = ['listed', 'similar', 'recall', 'name'] as const;

/** How rows and columns follow each other. */
export type Order = (typeof ORDERS)[number];

/** A piece of a sentence; `strong` is emphasised. */
export type Words = string | { readonly strong: string };

/** A confusion matrix; a class is known by its place in the list of classes. */
export interface Matrix {
  readonly names: readonly string[];
  readonly counts: ReadonlyMap<number, number>;
  /** Places of the classes in each order. */
  readonly orders: Readonly<Record<Order, readonly number[]>>;
  count(truth: number, predicted: number): number;
  /** Share of a cell in its row, column or all; of its row where the unit is `count`. */
  share(truth: number, predicted: number, unit: Unit): number;
  /** Text of a cell; empty for 0. */
  text(truth: number, predicted: number, unit: Unit): string;
  /** The cell in a sentence. */
  words(truth: number, predicted: number): readonly Words[];
}

/** Unpacks the counts and sorts the classes. */
export function readMatrix({ names, support, predicted, cells, similar }: MatrixData): Matrix {
  const counts = new Map(unpacked(cells));
  const total = support.reduce((sum, value) => sum + value, 0);
  const places = names.map((_, place) => place);
  const count = (t: number, p: number): number => counts.get(t * names.length + p) ?? 0;
  const inRow = (t: number): number => support[t] ?? 0;
  const inColumn = (p: number): number => predicted[p] ?? 0;
  // A class without a record has no recall, and comes last.
  const recall = (place: number): number => (inRow(place) > 0 ? count(place, place) / inRow(place) : 2);
  const share = (t: number, p: number, unit: Unit): number => {
    const whole = { row: inRow(t), col: inColumn(p), all: total, count: inRow(t) }[unit];
    return count(t, p) === 0 ? 0 : count(t, p) / whole;
  };
  return {
    names,
    counts,
    orders: {
      listed: places,
      similar,
      recall: places.toSorted((a, b) => recall(a) - recall(b)),
      name: places.toSorted((a, b) =>
        (names[a] ?? '').localeCompare(names[b] ?? '', undefined, { numeric: true }),
      ),
    },
    count,
    share,
    text(t, p, unit) {
      if (unit !== 'count') return shareText(share(t, p, unit));
      return count(t, p) === 0 ? '' : String(count(t, p));
    },
    words(t, p) {
      const percent = (unit: Unit): string => `${shareText(share(t, p, unit))}%`;
      const ofWhole =
        count(t, p) === 0
          ? '.'
          : ` (${percent('row')}), ${percent('col')} of all called so, ${percent('all')} of all.`;
      return [
        { strong: names[t] ?? '' },
        ...(t === p ? [' recognized: '] : [' taken for ', { strong: names[p] ?? '' }, ': ']),
        { strong: grouped(count(t, p)) },
        ` of ${grouped(inRow(t))} records of the class${ofWhole}`,
      ];
    },
  };
}

/** Index and count of each cell: LEB128 numbers, an index as its step from the one before. */
function* unpacked(packed: string): Generator<[index: number, count: number]> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
    scale = 1;
  }
  let index = 0;
  for (let at = 0; at + 1 < numbers.length; at += 2) {
    index += numbers[at] ?? 0;
    yield [index, numbers[at + 1] ?? 0];
  }
}
