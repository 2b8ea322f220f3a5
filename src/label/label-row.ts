import { Condition } from '../problem/conditions.ts';

/** One line of a label file. */
export interface LabelRow {
  readonly key: string;
  /** Index of the record within its object; undefined if the label is for the whole object. */
  readonly recordIndex: number | undefined;
  readonly label: string;
  /** Cells of the further columns that were asked for, in their order, empty if there is none; absent if none were asked for. */
  readonly fields?: readonly string[] | undefined;
}

/** A line of a label file has no key or no label. */
export class LabelFileUnreadable extends Condition {
  readonly file: string;
  /** The message without the name of the file. */
  readonly detail: string;

  constructor(file: string, detail: string) {
    super('LabelFileUnreadable', `${file}: ${detail}`);
    this.file = file;
    this.detail = detail;
  }
}

/** Columns of a file that a message names. */
export const MAX_NAMED = 20;

/** A label file doesn't have a requested extra column, or has it more than once. */
export class LabelColumnUnclear extends LabelFileUnreadable {
  readonly column: string;
  readonly remedy: string;

  /** @param known columns of the file; empty if it has no header */
  constructor(file: string, column: string, known: readonly string[]) {
    const count = known.filter((name) => name === column).length;
    const named = known.slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
    const has = known.length === 0 ? 'it has no header' : `it has ${named.join(', ')}`;
    super(
      file,
      count > 1
        ? `must have the column ${JSON.stringify(column)} once, has it ${count} times`
        : `must have the column ${JSON.stringify(column)}, ${has}`,
    );
    this.column = column;
    this.remedy = count > 1 ? 'keep one of them' : 'add it';
  }
}

/** The error of a line that is not as it must be. */
export function unreadable(name: string, line: number, found: string, wanted: string): LabelFileUnreadable {
  return new LabelFileUnreadable(
    name,
    `line ${line} must be ${wanted}, is ${JSON.stringify(found.slice(0, 120))}`,
  );
}
