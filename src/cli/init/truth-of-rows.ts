import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import { choice } from '../../init/choice.ts';
import { countedLabels } from '../../init/init-lines.ts';
import { labelColumns, titledLabels } from '../../init/label-column.ts';
import { manyNumbers } from '../../label/label-tally.ts';
import { isNumber } from '../../table/table-columns.ts';
import { Refusal } from '../refusal.ts';
import type { FoundTruth } from './found-truth.ts';
import { answersNumber, isRegression, type Known, type PreparedModel } from './known.ts';
import { measuredInputs } from './measured-order.ts';
import { columnChoices, columnOf } from './truth-of-columns.ts';

/** How many cells of a row a model takes, its number of classes, and the cell that holds the class, as far as they are known. */
interface KnownOfRows {
  readonly cells: number | undefined;
  readonly classes: number;
  readonly asked: number | undefined;
}

/**
 * The truth of rows of numbers: the requested cell, or the first or the last one if the model takes the others.
 *
 * @throws {Refusal} if no cell can be the class, or the model doesn't take the others
 */
export async function truthOfRows(
  { options, model, inputs, decide }: Known,
  rows: readonly (readonly string[])[],
  { cells, classes, asked }: KnownOfRows,
): Promise<FoundTruth> {
  const width = rows[0]?.length ?? 0;
  const titles = inputs?.table?.titles;
  const named = (at: number): string => {
    const name = titles?.[at];
    return name === undefined ? String(at) : `${at} (${name})`;
  };
  const folder = options.folder ?? '';
  if (width === cells && asked === undefined)
    return {
      choices: [choice('labels.truth', null, 'each row has the cells that the model takes, and no label')],
      labels: [],
      measured: [],
    };
  const isOneMore = cells === undefined || titles !== undefined || width === cells + 1;
  const columns =
    asked === undefined
      ? (titles === undefined ? labelColumns : titledLabels)(
          rows,
          isRegression(model) ? 0 : answersNumber(model) ? 2 : classes,
        ).filter(({ at }) => model.onnx?.columns?.includes(titles?.[at] ?? '') !== true)
      : [{ at: asked, labels: rows.map((row) => (row[asked] ?? '').trim()) }];
  const labels = columns.length === 0 ? rows.map((row) => row.at(-1) ?? '') : [];
  const last = new Set(labels);
  const isInput = model.onnx?.columns?.includes(titles?.at(-1) ?? '') === true;
  if (answersNumber(model) && !isInput && (isRegression(model) || manyNumbers(labels) !== undefined))
    columns.push({ at: width - 1, labels });
  const [column] = columns;
  if (column === undefined && !isInput && last.size > classes && [...last].every(isNumber))
    throw new Refusal(
      `column ${named(width - 1)} of ${folder} holds ${last.size} different numbers such as ${[...last][0] ?? ''}, ` +
        'which are no classes, and the model answers no single number. If another column holds the class, name it by --label',
    );
  if (column === undefined || column.at >= width || !isOneMore)
    throw new Refusal(
      `rows of ${options.folder ?? ''} have ${width} cells, the model takes ${cells ?? 'others'}, and ` +
        `${asked === undefined ? 'neither the first nor the last cell' : `not cell ${asked}`} is a class next to them: ` +
        `name it with --truth '$[CELL]', or choose the columns by labels.truth and columns of pipeline.json`,
    );
  const answer =
    columns.length === 1
      ? String(column.at)
      : await decide({
          text: `Column that holds the class, ${columns.map(({ at }) => named(at)).join(' or ')}`,
          option: "--truth '$[COLUMN]'",
          problem: (typed) =>
            columns.some(({ at }) => String(at) === typed) ? undefined : 'must be one of them',
        });
  const chosen = columns.find(({ at }) => String(at) === answer) ?? column;
  const measured = (places: readonly number[]): FoundTruth['measured'] =>
    measuredInputs(
      rows.flatMap((row, at) => {
        const label = chosen.labels[at];
        const tensor = rowTensor(
          model,
          places.map((cell) => row[cell] ?? ''),
        );
        return label === undefined || tensor === undefined
          ? []
          : [{ name: `row ${at + 1}`, label, read: () => Promise.resolve(tensor) }];
      }),
      classes,
      titles === undefined ? undefined : Infinity,
    );
  // Without titles nothing tells what else is no feature.
  const taken = cells ?? (titles === undefined ? width - 1 : undefined);
  const { choices, places } = columnChoices(folder, { titles, rows }, chosen, taken, model.onnx?.columns);
  const value = { from: 'column', column: columnOf(titles, chosen.at) };
  const why =
    asked === undefined
      ? 'its cells are classes'
      : `as --${options.label === undefined ? 'truth' : 'label'} says`;
  const isWhole = inputs?.table?.records === rows.length;
  const reason = isWhole ? `${why}: ${countedLabels(chosen.labels)}` : why;
  return {
    choices: [...choices, { field: 'labels.truth', value, reason }],
    labels: chosen.labels,
    measured: measured(places),
  };
}

/**
 * A row as a model takes it here: its text for the handler of an ONNX model, numbers for a SavedModel of floats; undefined
 * for other models.
 */
function rowTensor({ onnx, served }: PreparedModel, row: readonly string[]): Tensor | undefined {
  if (onnx !== undefined) return { dtype: 'string', shape: [1], data: [Buffer.from(row.join(','))] };
  if (served?.signature.inputs[0]?.dtype !== 'float32') return undefined;
  return { dtype: 'float32', shape: [1, row.length], data: Float32Array.from(row, Number) };
}
