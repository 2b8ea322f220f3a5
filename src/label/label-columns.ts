import { LABELS } from './label-titles.ts';
import { normal, wholeNumber } from './reading.ts';

/** The columns of a label file, by role. */
export interface LabelColumns {
  readonly hasHeader: boolean;
  readonly key: number;
  /** Column of a record's index within its object; -1 if there's none. */
  readonly index: number;
  /** The column of the labels; or the columns named by classes, with a 1 in one of them in each row. */
  readonly label: number | readonly { readonly at: number; readonly name: string }[];
  /** Extension that the keys lack, `.png`; empty if they have it. */
  readonly suffix: string;
  /** Words for the columns: `columns "filename" and "species"`. */
  readonly words: string;
}

/** Settings by which the columns of a label file are chosen. */
export interface AskedColumns {
  readonly classes: readonly string[];
  /** `labels.truth.column`. */
  readonly column: string | null;
  /** Further columns, by which accuracy is broken down. */
  readonly fields: readonly string[];
  /** Whether only the column of the keys is sought; the labels are then in no column. */
  readonly onlyKey?: boolean;
}

/** Chooses the columns of a label file from its first rows. */
export type ChooseColumns = (head: readonly (readonly string[])[]) => ColumnsChosen | Promise<ColumnsChosen>;
/** Columns of a label file, or why they can't be told. */
export type ColumnsChosen = LabelColumns | { readonly refusal: string };

const KEYS = new Set(['key', 'file', 'filename', 'file_name', 'path', 'image', 'input', 'name', 'id']);
/** Titles of labels that stand for other things as well. */
const VAGUE = new Set(['y', 'target', 'category']);
const INDEXES = new Set(['recordindex', 'record_index', 'index', 'record', 'row']);
/** Columns that a review adds: who answered, when, and how. */
export const REVIEW_COLUMNS = { by: 'reviewed_by', at: 'reviewed_at', how: 'reviewed_how' } as const;
/** Columns that are passed over: row numbers as pandas writes them, and a review's own columns. */
const PASSED_OVER = new Set(['', 'unnamed: 0', ...Object.values(REVIEW_COLUMNS)]);

/** Titles that a message names. */
const MAX_NAMED = 20;
/** Cells that a message shows of a row. */
const SHOWN_CELLS = 5;

/** The character between the cells of a file that its first line states, as Excel writes it: `sep=;`. */
export function statedDelimiter(line: string): string | undefined {
  return /^sep=(?<delimiter>.)$/.exec(line)?.groups?.['delimiter'];
}

/** The character between the cells of a file, by its first row: a comma, or else a semicolon, a tab or a blank. */
export function delimiterOf(row: string): string {
  const bare = row.replaceAll(/"[^"]*"/g, '');
  return [',', ';', '\t', ' '].find((one) => bare.includes(one)) ?? ',';
}

/** Finds the inputs that the first rows of a label file name, and then its columns. */
export class NamedInputs {
  readonly #head: readonly (readonly string[])[];
  readonly #keyOf: (cell: string) => string;
  readonly #sought: ReadonlySet<string>;
  readonly #found = new Set<string>();
  /** Keys that lack an extension, by the extension. */
  readonly #stems = new Map<string, Set<string>>();

  /** @param keyOf name of the input that a cell may mean */
  constructor(head: readonly (readonly string[])[], keyOf: (cell: string) => string) {
    this.#head = head;
    this.#keyOf = (cell) => keyOf(cell).normalize('NFC');
    this.#sought = new Set(head.flat().map(this.#keyOf));
  }

  /** Takes the name of an input. */
  add(written: string): void {
    const name = written.normalize('NFC');
    if (this.#sought.has(name)) this.#found.add(name);
    const dot = name.lastIndexOf('.');
    if (dot <= name.lastIndexOf('/') || !this.#sought.has(name.slice(0, dot))) return;
    const suffix = name.slice(dot);
    this.#stems.set(suffix, (this.#stems.get(suffix) ?? new Set()).add(name.slice(0, dot)));
  }

  /** The columns; names may lack their extension, if all lack the same one. */
  decide(asked: AskedColumns): ColumnsChosen {
    const [[suffix, stems] = ['', this.#found], ...others] = this.#found.size === 0 ? this.#stems : [];
    // Names with that extension, which are no inputs, belong to the keys: numbers next to them are not.
    const isBare = others.length === 0 && !this.#sought.values().some((name) => name.endsWith(suffix));
    const found = isBare ? stems : this.#found;
    const chosen = decideColumns(this.#head, (cell) => found.has(this.#keyOf(cell)), asked);
    return 'refusal' in chosen || found === this.#found ? chosen : { ...chosen, suffix };
  }
}

/**
 * Decides the role of each column of a label file: the keys are in the column with cells that name inputs, whatever its title. A
 * file without such a column (for example, if its inputs belong to other runs) is read by its titles.
 *
 * @param head the first rows
 * @param isInput whether a cell names an input of the drop
 */
export function decideColumns(
  head: readonly (readonly string[])[],
  isInput: (cell: string) => boolean,
  { classes, column, fields, onlyKey = false }: AskedColumns,
): ColumnsChosen {
  const [first = [], ...below] = head;
  const titles = first.map(normal);
  const known = titles.map((title) => title.toLowerCase());
  const columns = titles.map((_, at) => at);
  const rows = below.length > 0 ? below : head;
  const cellsAt = (at: number): string[] =>
    (hasHeader ? rows : head).map((row) => normal(row[at] ?? '')).filter((cell) => cell !== '');
  const shareAt = (at: number): number => rows.filter((row) => isInput(row[at] ?? '')).length / rows.length;
  const naming = columns.filter((at) => shareAt(at) >= 0.5);
  const isTitled = known.some((title) => KEYS.has(title)) && known.some((title) => LABELS.has(title));
  const hasHeader =
    !first.some((cell) => isInput(cell)) &&
    (below.length === 0
      ? isTitled
      : naming.length > 0 || known.some((title) => KEYS.has(title) || LABELS.has(title)));
  const nameOf = (at: number): string => (hasHeader ? JSON.stringify(titles[at]) : String(at + 1));

  const possible =
    naming.length > 0 ? naming : hasHeader ? columns : columns.slice(0, titles.length === 2 ? 1 : 0);
  const titled = possible.filter((at) => hasHeader && KEYS.has(known[at] ?? ''));
  // Small numbers may name inputs in the column of the labels as well; there they repeat.
  const distinct = possible.filter(
    (at) => rows.length > 1 && new Set(cellsAt(at)).size === (hasHeader ? rows : head).length,
  );
  const [key] = [possible, titled, naming.length > 0 ? distinct : []].find((some) => some.length === 1) ?? [];
  if (key === undefined)
    return naming.length > 1
      ? {
          refusal: `has columns ${naming.map(nameOf).join(' and ')} that both name inputs: keep one, or call it "key"`,
        }
      : {
          refusal: `has no column that names inputs of the drop; a row is ${JSON.stringify(rows[0]?.slice(0, SHOWN_CELLS))}`,
        };
  const index = hasHeader ? columns.findIndex((at) => at !== key && INDEXES.has(known[at] ?? '')) : -1;
  const found = (label: LabelColumns['label']): LabelColumns => {
    const of = typeof label === 'number' ? nameOf(label) : 'one of each class';
    return { hasHeader, key, index, label, suffix: '', words: `columns ${nameOf(key)} and ${of}` };
  };

  if (onlyKey) return found([]);
  if (column !== null) {
    const places = columns.filter((at) => titles[at] === normal(column));
    const [at] = places;
    return hasHeader && at !== undefined && places.length === 1
      ? found(at)
      : {
          refusal: `must have the column ${JSON.stringify(column)} of labels.truth.column once; it has ${listed(hasHeader, titles)}`,
        };
  }
  const rest = columns.filter(
    (at) =>
      at !== key &&
      at !== index &&
      !(hasHeader && (PASSED_OVER.has(known[at] ?? '') || fields.includes(titles[at] ?? ''))),
  );
  const [only] = rest;
  const names = new Set(classes.map(normal));
  const areNames = (at: number): boolean =>
    cellsAt(at).length > 0 && cellsAt(at).every((cell) => names.has(cell));
  const couldBe = (at: number, byPlace: boolean): boolean => {
    const cells = cellsAt(at).filter((cell) => {
      const place = wholeNumber(cell) ?? -1;
      return names.has(cell) || (byPlace && place >= 0 && place <= classes.length);
    });
    return 2 * cells.length >= Math.max(1, cellsAt(at).length);
  };
  const [sole, ...others] = rest.filter((at) => couldBe(at, true));
  // A column of numbers doesn't count without a title that says so.
  const isText = sole !== undefined && cellsAt(sole).every((cell) => wholeNumber(cell) === undefined);
  const named = isText && others.length === 0 && areNames(sole) ? sole : undefined;
  if (!hasHeader && named !== undefined) return found(named);
  if (!hasHeader)
    return rest.length === 1 && only !== undefined
      ? found(only)
      : {
          refusal:
            `has ${titles.length === 1 ? 'one column' : `no header and ${titles.length} columns`}: write a row of ` +
            'titles, one of them "label"',
        };

  const labels = rest.filter((at) => LABELS.has(known[at] ?? ''));
  const [label] = labels;
  if (labels.length > 1)
    return {
      refusal: `has ${labels.length} columns of labels, ${labels.map(nameOf).join(' and ')}: name one in labels.truth.column`,
    };
  if (label !== undefined) {
    const isVague = VAGUE.has(known[label] ?? '');
    // Next to a clear title only a column with names of classes could be the label; next to a vague one, a column of places as well.
    const rival =
      !isVague && areNames(label) ? undefined : rest.find((at) => at !== label && couldBe(at, isVague));
    return rival === undefined
      ? found(label)
      : {
          refusal: `has columns ${nameOf(label)} and ${nameOf(rival)} that could both be the label: name one in labels.truth.column`,
        };
  }
  return (
    oneHot(head, titles, rest, classes, found) ??
    (rest.length === 1 && only !== undefined ? found(only) : undefined) ??
    (named === undefined ? undefined : found(named)) ?? {
      refusal: `has the columns ${listed(true, titles)}, and none is called "label": name the one that is in labels.truth.column`,
    }
  );
}

/** A table with a column for each class; undefined if it's none. */
function oneHot(
  [, ...rows]: readonly (readonly string[])[],
  titles: readonly string[],
  rest: readonly number[],
  classes: readonly string[],
  found: (label: LabelColumns['label']) => LabelColumns,
): ColumnsChosen | undefined {
  const places = classes.map((name) => ({ at: rest.find((at) => titles[at] === normal(name)) ?? -1, name }));
  if (places.length === 0 || places.some(({ at }) => at < 0)) return undefined;
  const wrong = rows.findIndex((row) => oneHotLabel(row, places) === undefined);
  return wrong < 0
    ? found(places)
    : { refusal: `has a column for each class, and row ${wrong + 2} ${NOT_ONE}` };
}

/** Why a row of a table with a column for each class has no label. */
export const NOT_ONE = "doesn't have a single 1 among zeros: several labels of an input aren't supported";

/** The class with the row's only 1 in its column; undefined if there's no such column. */
export function oneHotLabel(
  row: readonly string[],
  places: readonly { readonly at: number; readonly name: string }[],
): string | undefined {
  const bits = places.map(({ at }) => bitOf(row[at] ?? ''));
  const at = bits.indexOf(1);
  return bits.includes(undefined) || at < 0 || at !== bits.lastIndexOf(1) ? undefined : places[at]?.name;
}

function bitOf(cell: string): 0 | 1 | undefined {
  const text = normal(cell).toLowerCase();
  if (text === 'true' || wholeNumber(text) === 1) return 1;
  return text === 'false' || wholeNumber(text) === 0 ? 0 : undefined;
}

function listed(hasHeader: boolean, titles: readonly string[]): string {
  return hasHeader
    ? titles
        .slice(0, MAX_NAMED)
        .map((title) => JSON.stringify(title))
        .join(', ')
    : 'no header';
}
