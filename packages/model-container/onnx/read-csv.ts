import type { NamedTensors, TensorSpec } from '@inferdrop/savedmodel/servable-model';
import { cellText } from '@inferdrop/table/cells';
import { csvRows } from '@inferdrop/table/csv-rows';
import { one } from './read-json.ts';
import { refuse } from './request-refused.ts';
import { fit, flatten, type Json, toTensor } from './to-tensor.ts';

/** Tensors of CSV: all cells of a row for the only input, or a cell for each input. @throws {RequestRefused} */
export function readCsv(inputs: readonly TensorSpec[], text: string): NamedTensors {
  const rows = Array.from(csvRows(text, { lenient: true }), ({ cells }) => cells.map(cellText));
  const width = rows[0]?.length ?? refuse('the request has no rows');
  for (const [at, row] of rows.entries())
    if (row.length !== width) refuse(`row ${at + 1} has ${row.length} cells, and row 1 has ${width}`);
  const [only, ...others] = inputs;
  if (only !== undefined && others.length === 0) {
    const { values } = flatten(
      only,
      rows.map((row) => row.map((text) => cell(only, text))),
    );
    const sizes = only.shape?.slice(1);
    const isWhole = sizes !== undefined && sizes.length > 1 && sizes.every((size) => size >= 0);
    const reshaped = isWhole && sizes.reduce((product, size) => product * size, 1) === width;
    const shape = reshaped
      ? [rows.length, ...sizes]
      : sizes?.length === 0 && width === 1
        ? [rows.length]
        : [rows.length, width];
    return new Map([[only.name, toTensor(only, fit(only, shape), values)]]);
  }
  if (width !== inputs.length)
    refuse(
      `a row has ${width} cells, and the model has ${inputs.length} inputs: ${inputs.map(({ name }) => name).join(', ')}`,
    );
  return new Map(
    inputs.flatMap((spec, column) => [
      ...one(
        spec,
        rows.map((row) => cell(spec, row[column] ?? '')),
      ),
    ]),
  );
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** An empty cell is a number that is missing. */
function cell({ name, dtype }: TensorSpec, text: string): Json {
  if (dtype === 'string') return text;
  const trimmed = withoutBlanks(text);
  if (trimmed === '' || trimmed.toLowerCase() === 'nan') return null;
  if (NUMBER.test(trimmed)) return Number(trimmed);
  if (/^[+-]?inf$/i.test(trimmed)) return trimmed.startsWith('-') ? -Infinity : Infinity;
  return refuse(`${JSON.stringify(text)} is not a number, which input ${name} takes`);
}

/** A cell without the blanks and tabs around it, in linear time. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === ' ' || text[start] === '\t') start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}
