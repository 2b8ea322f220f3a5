import { cellNumber, cellText, csvCells } from '@inferdrop/table/cells';
import type { RecordFormat } from './input-record.ts';
import { type JsonValue, readJsonDocuments } from './json-documents.ts';
import { OutputError } from './output-error.ts';
import { toText } from './output-text.ts';
import { isList, plainValue } from './plain-value.ts';
import { type OutputShape, type Prediction, shapeOfText } from './prediction.ts';
import { readDocument } from './read-output.ts';
import { textLines } from './text-lines.ts';

/** How SageMaker was asked to join results with their inputs. */
export interface JoinedShape {
  readonly format: RecordFormat;
  /** True if each line is a record, false if the object is one. */
  readonly lines: boolean;
  /** Number of cells of an input row, which the result follows; CSV alone. */
  readonly inputColumns: number;
}

/** A record as it was before the input filter, and the model's answer to it. */
export interface JoinedRecord {
  /** Undefined if the output does not contain it. */
  readonly input: JsonValue | undefined;
  readonly prediction: Prediction | OutputError;
}

/**
 * Reads an output in which SageMaker has joined each record with its result: JSON objects with the field `SageMakerOutput`,
 * `{"SageMakerInput": …, "SageMakerOutput": …}` where the record is not an object, CSV rows with the result's cells at their end. A defect
 * of one record fails that record alone. Records are read lazily, since a million of them and their cells would exceed a Lambda's memory.
 *
 * @throws {OutputError} if the object as a whole cannot be read
 * @throws {ClassCountMismatch} if the length of a score vector differs from the number of classes
 */
export function readJoinedOutput(
  bytes: Uint8Array,
  joined: JoinedShape,
  shape: OutputShape,
): Iterable<JoinedRecord> {
  const text = toText(bytes);
  const parts = joined.lines ? textLines(text) : [text];
  if (text.trim() === '') throw new OutputError('unreadable-output', 'the output is empty');
  const one = { ...shape, oneRecord: true };
  if (joined.format === 'csv') return readRows(parts, joined.inputColumns, one);
  return Iterator.from(parts).map((part) => readJson(part, one));
}

function readJson(text: string, shape: OutputShape): JoinedRecord {
  let input: JsonValue | undefined;
  const prediction = orError(() => {
    const [record, ...more] = readJsonDocuments(text);
    if (record === undefined || more.length > 0)
      throw new OutputError('unreadable-output', 'the output is not one JSON document a record');
    if (!isObject(record) || !Object.hasOwn(record, 'SageMakerOutput'))
      throw new OutputError('unreadable-output', 'the output has no SageMakerOutput, so nothing was joined');
    const { SageMakerOutput: result = null, ...rest } = record;
    const names = Object.keys(rest);
    input = names.length === 1 && names[0] === 'SageMakerInput' ? rest['SageMakerInput'] : rest;
    // SageMaker puts its field after the record's own, whose numbers do not describe the answer.
    const answer = text.slice(text.lastIndexOf('"SageMakerOutput"'));
    const predictions = [...readDocument(result, shapeOfText(answer, shape))];
    const [only] = predictions;
    if (predictions.length !== 1 || only === undefined) {
      throw new OutputError(
        'wrong-record-count',
        `the output has ${predictions.length} predictions for one record`,
      );
    }
    return only;
  });
  return { input, prediction };
}

function readRows(rows: Iterable<string>, inputColumns: number, shape: OutputShape): Iterable<JoinedRecord> {
  const split = (): IteratorObject<string[]> =>
    Iterator.from(rows).map((row) => csvCells(row.replace(/\r$/, '')));
  const width = commonWidth(split(), inputColumns);
  return split().map((cells) => {
    const found = cells.length - inputColumns;
    const input = cells.slice(0, inputColumns).map((cell) => cellText(cell).trim());
    const prediction = orError(() => {
      if (found < 1) {
        const what = `the row has ${cells.length} cells, as many as the input's ${inputColumns} or fewer`;
        throw new OutputError('unreadable-output', `${what}: there is no result at its end`);
      }
      // With too few or too many cells, the end of the row would be read as another result.
      if (found !== width)
        throw new OutputError(
          'ambiguous-output',
          `the row has ${cells.length} cells, other rows of its object have another number: where does its result begin?`,
        );
      return rowResult(cells.slice(inputColumns), shape);
    });
    return { input: found < 1 || found !== width ? undefined : input, prediction };
  });
}

/** Number of cells of the result in most rows of an object; undefined if no number is more frequent than every other. */
function commonWidth(rows: Iterable<readonly string[]>, inputColumns: number): number | undefined {
  const counts = new Map<number, number>();
  for (const { length } of rows)
    counts.set(length - inputColumns, (counts.get(length - inputColumns) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const widths = [...counts].filter(([, count]) => count === most);
  return widths.length === 1 ? widths[0]?.[0] : undefined;
}

function rowResult(cells: readonly string[], shape: OutputShape): Prediction {
  const [first = ''] = cells;
  const values = cells.map(cellNumber);
  if (cells.length === 1) {
    const name = cellText(first).trim();
    if (name === '') throw new OutputError('unreadable-output', 'the row ends with an empty cell');
    return plainValue(values[0] ?? name, shapeOfText(name, shape));
  }
  const scores = values.filter((value) => value !== undefined);
  if (scores.length < cells.length || scores.length !== shape.scoreCount) {
    throw new OutputError(
      'ambiguous-output',
      `the row ends with ${cells.length} cells of a result, which are neither one class nor ${shape.scoreCount} scores`,
    );
  }
  return { scores };
}

function orError(read: () => Prediction): Prediction | OutputError {
  try {
    return read();
  } catch (error) {
    if (error instanceof OutputError) return error;
    throw error;
  }
}

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !isList(value);
}
