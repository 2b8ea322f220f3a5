import type { Tensor } from '@inferdrop/savedmodel/servable-model';
import { columnFilter, labelColumns } from '../../init/label-column.ts';
import { Refusal } from '../refusal.ts';
import type { FoundTruth } from './found-truth.ts';
import type { Known } from './known.ts';

/**
 * The truth of rows of numbers: the first or the last cell, where the model takes the others.
 *
 * @throws {Refusal} if no cell can be the class, or the others cannot be named in a filter
 */
export async function truthOfRows(
  { options, model, inputs, decide }: Known,
  rows: readonly (readonly string[])[],
  { cells, classes }: { readonly cells: number; readonly classes: number },
): Promise<FoundTruth> {
  const width = rows[0]?.length ?? 0;
  const named = (at: number): string => {
    const name = inputs?.columns?.[at];
    return name === undefined ? String(at) : `${at} (${name})`;
  };
  if (width === cells)
    return {
      choices: [
        {
          field: 'labels.truth',
          value: null,
          reason: 'each row has the cells that the model takes, and no label',
        },
      ],
      labels: [],
      measured: [],
    };
  const columns = width === cells + 1 ? labelColumns(rows, classes) : [];
  const [column] = columns;
  if (column === undefined)
    throw new Refusal(
      `rows of ${options.folder ?? ''} have ${width} cells, the model takes ${cells}, and neither the first nor the last column holds a class: say with --truth and transform.inputFilter in pipeline.json which cells are which`,
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
  const filter = columnFilter(chosen.at, width);
  if (filter === undefined)
    throw new Refusal(
      `the class is the last of ${width} cells, and transform.inputFilter cannot name that many others: put it first in each row, as awk -F, -v OFS=, '{ c = $NF; NF--; print c, $0 }' does`,
    );
  return {
    choices: [
      { field: 'transform.inputFilter', value: filter, reason: 'the model gets the other cells' },
      {
        field: 'labels.truth',
        value: { from: 'record', path: `$[${chosen.at}]` },
        reason: `each row has ${cells + 1} cells, and cell ${named(chosen.at)} is a class`,
      },
    ],
    labels: chosen.labels,
    measured: rows.flatMap((row, at) => {
      const numbers = row.filter((_, cell) => cell !== chosen.at).map(Number);
      const label = chosen.labels[at];
      const shape = [1, cells];
      const tensor: Tensor = { dtype: 'float32', shape, data: Float32Array.from(numbers) };
      const isFloat = model.served?.signature.inputs[0]?.dtype === 'float32';
      return label === undefined || !isFloat
        ? []
        : [{ name: `row ${at + 1}`, label, read: () => Promise.resolve(tensor) }];
    }),
  };
}
