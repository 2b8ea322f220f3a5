import { readInputRecord } from '../prediction/input-record.ts';
import { isList } from '../prediction/plain-value.ts';
import type { Problem } from '../problem/problem.ts';
import type { SampledInput } from './judge-processing.ts';

/** Whether a content type is that of CSV, with or without parameters. */
export function isCsv(contentType: string): boolean {
  return /^text\/csv\s*(?:;|$)/i.test(contentType);
}

/**
 * CSV files that begin with a row of names over columns of numbers, which the model would get as a record.
 *
 * @param isRead true where each row is split off by SageMaker, or read by a container without a handler; a handler that gets whole
 * files may skip their first row
 */
export function headerProblems(inputs: readonly SampledInput[], isRead: boolean): Problem[] {
  if (!isRead) return [];
  return inputs.slice(0, MAX_NAMED).flatMap(({ key, records: [first, second] }) => {
    const [names, values] = [cellsOf(first), cellsOf(second)];
    if (names.length !== values.length || names.some(isNumeric)) return [];
    const numbers = values.filter(isNumeric).length;
    if (numbers * 2 <= values.length) return [];
    return [
      {
        file: key,
        field: '',
        value: '',
        message: `begins with a header (${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', …' : ''}), which the model would get as a record: remove the first row`,
      },
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
