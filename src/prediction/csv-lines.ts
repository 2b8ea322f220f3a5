import type { OutputShape, Prediction } from './prediction.ts';
import { recordValue } from './record-value.ts';

const NUMBER = String.raw`[ \t]*[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|nan|inf(?:inity)?)[ \t]*`;
const ROW = new RegExp(`^${NUMBER}(?:,${NUMBER})+$`, 'i');

/**
 * Reads the lines of a `text/csv` answer, each a record's scores: `0.1,0.7,0.2`. Undefined where the first line is no such
 * row, or a later one is none: then the text is something else. A single number a line is JSON as well, and is left to it.
 *
 * @throws {ClassCountMismatch} where a row has another length than the classes
 */
export function readCsvLines(text: string, shape: OutputShape): Prediction[] | undefined {
  const [head = ''] = text.trimStart().split('\n', 1);
  if (!ROW.test(head.trimEnd())) return undefined;
  const rows = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!rows.every((row) => ROW.test(row))) return undefined;
  return rows.map((row) => recordValue(row.split(',').map(toNumber), shape));
}

/** `nan` and `inf` as C and Python print them. */
function toNumber(cell: string): number {
  const word = cell.trim().toLowerCase();
  if (word.endsWith('nan')) return Number.NaN;
  if (word.includes('inf')) return word.startsWith('-') ? -Infinity : Infinity;
  return Number(word);
}
