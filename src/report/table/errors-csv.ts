import type { ReportFailure } from '../report.ts';
import { csvTable } from './csv-table.ts';

/** errors.csv: the inputs and records without a prediction. */
export const ERRORS_CSV = csvTable<ReportFailure>({
  key: ({ key }) => key,
  record_index: ({ recordIndex }) => recordIndex,
  reason: ({ reason }) => reason,
  detail: ({ detail }) => detail,
  line: ({ line }) => line ?? null,
  id: ({ id }) => id ?? null,
});
