import type { OutputShape, Prediction, Predictions } from './prediction.ts';
import { recordValue } from './record-value.ts';
import { textLines } from './text-lines.ts';

const NUMBER = String.raw`[ \t]*[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|nan|inf(?:inity)?)[ \t]*`;
const ROW = new RegExp(`^${NUMBER}(?:,${NUMBER})+$`, 'i');
/** Characters that begin a JSON document, and no row: to match an expression would take a tenth of the time of reading the output. */
const OPENERS = '[{"';

/**
 * Reads the lines of a `text/csv` answer, each a record's scores: `0.1,0.7,0.2`. Undefined if a line is not such a row: the
 * text then has another format. A single number a line is valid JSON too, and is left to that reader.
 *
 * Iterating throws {@link ClassCountMismatch} if the length of a row differs from the number of classes.
 */
export function readCsvLines(text: string, shape: OutputShape): Predictions | undefined {
  const trimmed = text.trimStart();
  if (OPENERS.includes(trimmed.charAt(0))) return undefined;
  const [head = ''] = trimmed.split('\n', 1);
  if (!ROW.test(head.trimEnd())) return undefined;
  const rows = textLines(text);
  let count = 0;
  for (const row of rows) {
    if (!ROW.test(row.trim())) return undefined;
    count++;
  }
  return { count, each: { [Symbol.iterator]: () => predictionsOf(rows, shape) } };
}

function* predictionsOf(rows: Iterable<string>, shape: OutputShape): Generator<Prediction> {
  for (const row of rows) yield recordValue(row.split(',').map(toNumber), shape);
}

/** `inf` and `nan` as C and Python print them; `Number` makes NaN of the latter anyway. */
function toNumber(cell: string): number {
  const word = cell.trim().toLowerCase();
  if (word.includes('inf')) return word.startsWith('-') ? -Infinity : Infinity;
  return Number(word);
}
