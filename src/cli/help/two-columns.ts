import type { Terminal } from '../show/terminal.ts';
import { wrapText } from '../show/wrap-text.ts';

/** Longest left cell that has its text next to it. */
const LONGEST_LEFT = 28;
/** Lines longer than this are hard to read. */
const WIDEST = 100;
/** A terminal narrower than this wraps on its own. */
const NARROWEST = 40;

/** Columns that a help text may fill. */
export function helpWidth({ columns }: Pick<Terminal, 'columns'>): number {
  return Math.max(NARROWEST, Math.min(columns, WIDEST));
}

/** Lines of names and their texts; a text is wrapped below its beginning, and begins below a name that is too long. */
export function twoColumns(
  rows: readonly (readonly [left: string, text: string])[],
  width: number,
  leastLeft = 0,
  indent = '  ',
): readonly string[] {
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= LONGEST_LEFT);
  const column = Math.max(leastLeft, ...fitting) + indent.length + 2;
  return rows.flatMap(([left, text]) => {
    const [first = '', ...more] = wrapText(text, width - column).map((line) => ' '.repeat(column) + line);
    const beside = `${indent}${left}`;
    return left.length > LONGEST_LEFT
      ? [beside, first, ...more]
      : [(beside + first.slice(beside.length)).trimEnd(), ...more];
  });
}
