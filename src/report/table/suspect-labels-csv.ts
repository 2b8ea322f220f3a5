import type { SuspectLabel } from '../suspect-labels.ts';
import { csvTable } from './csv-table.ts';
import { PLACE_COLUMNS } from './place-columns.ts';

/** suspect-labels.csv: the labels worth a look. */
export const SUSPECT_LABELS_CSV = csvTable<SuspectLabel>({
  ...PLACE_COLUMNS,
  label: ({ truth }) => truth,
  looks_like: ({ predicted }) => predicted,
  score: ({ confidence }) => confidence,
  label_score: ({ truthScore }) => truthScore,
  margin: ({ margin }) => margin,
});
