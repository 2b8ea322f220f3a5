import type { ReportFailure } from '../report.ts';
import { csvTable } from './csv-table.ts';
import { PLACE_COLUMNS } from './place-columns.ts';

/** errors.csv: the inputs and records without a prediction. */
export const ERRORS_CSV = csvTable<ReportFailure>({
  ...PLACE_COLUMNS,
  reason: ({ reason }) => reason,
  detail: ({ detail }) => detail,
});
