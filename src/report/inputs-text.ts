import { grouped, plural } from './figures.ts';
import type { Report } from './report.ts';

/** `2,003 inputs, 3 without a prediction`; where files hold many records, `3 inputs, 2,700 records predicted, 300 …`. */
export function inputsText({ total, records, errors }: Pick<Report, 'total' | 'records' | 'errors'>): string {
  const many = records + errors > total;
  const clauses = [plural(total, 'input')];
  if (many) clauses.push(`${plural(records, 'record')} predicted`);
  if (errors > 0) clauses.push(`${grouped(errors)} without a prediction`);
  else if (records > 0 && !many) clauses.push('all with a prediction');
  return clauses.join(', ');
}
