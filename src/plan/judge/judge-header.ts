import { readInputRecord } from '../../prediction/input-record.ts';
import { isList } from '../../prediction/plain-value.ts';
import type { Problem } from '../../problem/problem.ts';
import type { SampledInput } from './judge-processing.ts';

/** Whether a content type is that of CSV, with or without parameters. */
export function isCsv(contentType: string): boolean {
  return /^text\/csv\s*(?:;|$)/i.test(contentType);
}

/** CSV files that begin with a row of names over columns of numbers, which the model would get as a record. */
export function headerProblems(inputs: readonly SampledInput[]): Problem[] {
  return headersOf(inputs).map(({ key, names }) => ({
    file: key,
    field: '',
    value: '',
    message: `begins with a header (${names}), which the model would get as a record: remove the first row, or drop the folder with inferdrop drop --without-header`,
  }));
}

/** Notes on such files, for a handler that gets whole files, or several rows at once, and may skip their header. */
export function headerNotes(inputs: readonly SampledInput[]): string[] {
  return headersOf(inputs)
    .slice(0, 1)
    .map(
      ({ key, names }) =>
        `${key} begins with a header (${names}): unless code/inference.py skips it, remove the first row of each file`,
    );
}

function headersOf(inputs: readonly SampledInput[]): { readonly key: string; readonly names: string }[] {
  return inputs.slice(0, MAX_NAMED).flatMap(({ key, records }) => {
    // A file that SageMaker does not split is one record.
    const [first, second] = records.flatMap((text) => text.split(/\r?\n/)).filter((row) => row.trim() !== '');
    const [names, values] = [cellsOf(first), cellsOf(second)];
    if (names.length !== values.length || names.some(isNumeric)) return [];
    const numbers = values.filter(isNumeric).length;
    if (numbers * 2 <= values.length) return [];
    return [
      { key, names: `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}` },
    ];
  });
}

const MAX_NAMED = 3;

function cellsOf(row: string | undefined): readonly string[] {
  const cells = row === undefined ? undefined : readInputRecord(row, 'csv');
  return cells !== undefined && isList(cells) ? cells.map(String) : [];
}

function isNumeric(cell: string): boolean {
  return cell !== '' && Number.isFinite(Number(cell));
}
