import * as z from 'zod';
import { csvCells } from '@inferdrop/table/cells';
import { recordsOf } from '@inferdrop/table/record-cutter';
import { parsedJson } from '../text/parse-json.ts';
import type { ReviewedHow } from './label-changes.ts';
import { type ColumnsChosen, type LabelColumns, REVIEW_COLUMNS } from './label-columns.ts';
import { LabelFileUnreadable } from './label-row.ts';
import { delimiterIn, HEAD_ROWS, isJsonLabels, written } from './label-rows.ts';
import { type InputPlace, keyOfRow, type NameForm } from './truth-in-file.ts';

/** A label that a person has given. */
export interface Correction {
  /** Name of the input. */
  readonly key: string;
  /** Undefined if the input is one record. */
  readonly recordIndex: number | undefined;
  readonly label: string;
  readonly by: string;
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly how: ReviewedHow;
}

/** A label file of a drop. */
export interface LabelFile {
  readonly name: string;
  readonly text: string;
  /** Where the inputs lie, which a row may name relative to it. */
  readonly place: InputPlace;
  readonly form: NameForm;
  readonly columns: ColumnsChosen;
}

const { by: BY, at: AT, how: HOW } = REVIEW_COLUMNS;

/**
 * A label file with the answers of people. All other rows, and all further columns, stay as they are; a record that has
 * no row gets one. Who answered, when and how stands in the columns `reviewed_by`, `reviewed_at` and `reviewed_how`.
 *
 * @throws {LabelFileUnreadable} where a row cannot be read, or labels of single records have no place in the file
 */
export function correctLabels(file: LabelFile, corrections: readonly Correction[]): string {
  const open = new Map(corrections.map((correction) => [nameOf(correction), correction]));
  const left = new Set(corrections);
  const find: Find = (named, recordIndex) => {
    const key = file.form.nameOf(keyOfRow(named, file.place));
    const found = open.get(nameOf({ key, recordIndex })) ?? open.get(nameOf({ key, recordIndex: undefined }));
    if (found !== undefined) left.delete(found);
    return found;
  };
  const lines = isJsonLabels(file.name) ? jsonLines(file, find) : csvLines(file, find);
  const added = Array.from(left, (one) => lines.toRow({ ...one, key: relative(one.key, file.place.prefix) }));
  return [...lines.rows, ...added, ''].join(lines.end);
}

function nameOf({ key, recordIndex }: Pick<Correction, 'key' | 'recordIndex'>): string {
  return `${recordIndex ?? ''}\n${key}`;
}

function relative(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

interface Lines {
  readonly rows: readonly string[];
  readonly end: string;
  toRow(correction: Correction): string;
}

type Find = (named: string, recordIndex: number | undefined) => Correction | undefined;

const NEW_FILE: LabelColumns = { hasHeader: true, key: 0, label: 1, index: -1, suffix: '', words: '' };

/** Rows of a label file in CSV. The first one may only state the delimiter of the others. */
function rowsOf(text: string, most = Infinity): { stated: string[]; rows: string[]; delimiter: string } {
  const { delimiter, isStated } = delimiterIn(text);
  const rows = recordsOf(text, { notation: 'csv', delimiter, lenient: true })
    .map(({ bytes }) => bytes.toString())
    .filter((row) => row.trim() !== '')
    .take(most)
    .toArray();
  return { stated: isStated ? rows.slice(0, 1) : [], rows: isStated ? rows.slice(1) : rows, delimiter };
}

/** Cells of the first rows of a label file in CSV. */
export function headOf(text: string): string[][] {
  const { rows, delimiter } = rowsOf(text, HEAD_ROWS + 1);
  return rows.slice(0, HEAD_ROWS).map((row) => csvCells(row, delimiter).map(written));
}

function csvLines({ name, text, columns: chosen }: LabelFile, find: Find): Lines {
  const { stated, rows, delimiter } = rowsOf(text);
  const cellsOf = (row: string): string[] => csvCells(row, delimiter);
  const columns = rows.length === 0 ? NEW_FILE : chosen;
  if ('refusal' in columns) throw new LabelFileUnreadable(name, columns.refusal);
  const { hasHeader, key: keyAt, label: labelAt, index: indexAt, suffix } = columns;
  const named = hasHeader ? cellsOf(rows[0] ?? 'key,label') : [];
  if (!hasHeader) {
    named[keyAt] = 'key';
    if (typeof labelAt === 'number') named[labelAt] = 'label';
  }
  // A row may have more cells than the header has titles.
  const width = rows.reduce((most, row) => Math.max(most, cellsOf(row).length), named.length);
  const titles = Array.from({ length: width }, (_, at) => named[at] ?? `column_${at + 1}`);
  const placeOf = (title: string): number => {
    const at = titles.findIndex((cell) => written(cell) === title);
    return at < 0 ? titles.push(title) - 1 : at;
  };
  const [by, at, how] = [placeOf(BY), placeOf(AT), placeOf(HOW)];
  const toText = (cells: readonly string[], correction: Correction | undefined): string => {
    const whole = titles.map((_, column) => cells[column] ?? '');
    if (correction !== undefined) {
      if (typeof labelAt === 'number') whole[labelAt] = quoted(correction.label);
      else for (const one of labelAt) whole[one.at] = one.name === correction.label ? '1' : '0';
      whole[by] = quoted(correction.by);
      whole[at] = correction.at;
      whole[how] = correction.how;
    }
    return whole.join(delimiter);
  };
  const body = (hasHeader ? rows.slice(1) : rows).map((row) => {
    const cells = cellsOf(row);
    const index = indexAt < 0 ? undefined : Number(written(cells[indexAt] ?? ''));
    return toText(cells, find(written(cells[keyAt] ?? '') + suffix, index));
  });
  return {
    rows: [...stated, titles.join(delimiter), ...body],
    end: text.includes('\r\n') ? '\r\n' : '\n',
    toRow(correction) {
      if (correction.recordIndex !== undefined && indexAt < 0)
        throw new LabelFileUnreadable(
          name,
          'must have a column index, since labels of single records were corrected, and has no such column',
        );
      const cells = titles.map(() => '');
      cells[keyAt] = quoted(correction.key.slice(0, correction.key.length - suffix.length));
      if (indexAt >= 0) cells[indexAt] = String(correction.recordIndex ?? 0);
      return toText(cells, correction);
    },
  };
}

/**
 * A label file without the rows of some inputs, such as the inputs of a split's other part. All other rows stay as they are.
 *
 * @param isLeftOut whether the input that a row names is one of these
 * @throws {LabelFileUnreadable} if a row can't be read
 */
export function labelsWithout(
  { name, text, columns }: Pick<LabelFile, 'name' | 'text' | 'columns'>,
  isLeftOut: (named: string) => boolean,
): string {
  if (isJsonLabels(name)) {
    const kept = jsonRows(name, text).filter(({ row }) => !isLeftOut(row.key));
    return [...kept.map(({ line }) => line), ''].join('\n');
  }
  if ('refusal' in columns) throw new LabelFileUnreadable(name, columns.refusal);
  const { stated, rows, delimiter } = rowsOf(text);
  const { hasHeader, key, suffix } = columns;
  const kept = rows.filter(
    (row, at) => (hasHeader && at === 0) || !isLeftOut(written(csvCells(row, delimiter)[key] ?? '') + suffix),
  );
  return [...stated, ...kept, ''].join(text.includes('\r\n') ? '\r\n' : '\n');
}

/** A label file of the labels of some records. */
export function labelsCsv(
  labels: Iterable<Pick<Correction, 'key' | 'recordIndex' | 'label'>>,
  { prefix, oneRecord }: { readonly prefix: string; readonly oneRecord: boolean },
): string {
  const rows = Array.from(labels, ({ key, recordIndex, label }) => {
    const index = oneRecord ? [] : [String(recordIndex ?? 0)];
    return [relative(key, prefix), ...index, label].map(quoted).join(',');
  });
  return [oneRecord ? 'key,label' : 'key,index,label', ...rows, ''].join('\n');
}

/** A cell as RFC 4180 writes it. The product reads it again, so that nothing is made inert. */
function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const JsonRow = z.looseObject({
  key: z.string(),
  index: z.int().nonnegative().optional(),
  recordIndex: z.int().nonnegative().optional(),
});

function jsonRows(name: string, text: string): { line: string; row: z.infer<typeof JsonRow> }[] {
  const lines = recordsOf(text, { notation: 'lines' }).map(({ bytes }) => bytes.toString());
  return Array.from(lines, (line, at) => {
    const row = JsonRow.safeParse(parsedJson(line));
    if (!row.success) throw new LabelFileUnreadable(name, `row ${at + 1} must be an object with "key"`);
    return { line, row: row.data };
  });
}

function jsonLines({ name, text }: LabelFile, find: Find): Lines {
  return {
    rows: jsonRows(name, text).map(({ line, row }) => {
      const found = find(row.key, row.recordIndex ?? row.index);
      return found === undefined
        ? line
        : JSON.stringify({
            ...row,
            label: found.label,
            [BY]: found.by,
            [AT]: found.at,
            [HOW]: found.how,
          });
    }),
    end: '\n',
    toRow: ({ key, recordIndex, label, by, at, how }) =>
      JSON.stringify({
        key,
        ...(recordIndex !== undefined && { index: recordIndex }),
        label,
        [BY]: by,
        [AT]: at,
        [HOW]: how,
      }),
  };
}
