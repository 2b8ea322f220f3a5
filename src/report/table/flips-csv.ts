import { type Flip, flipKind } from '../../metric/flip.ts';
import { csvTable } from './csv-table.ts';
import { PLACE_COLUMNS } from './place-columns.ts';

/** flips.csv: the records with another prediction than in the baseline run. */
export const FLIPS_CSV = csvTable<Flip>({
  ...PLACE_COLUMNS,
  change: flipKind,
  truth: ({ truth }) => truth,
  before: ({ before }) => before,
  now: ({ now }) => now,
  score_before: ({ scoreBefore }) => scoreBefore,
  score_now: ({ scoreNow }) => scoreNow,
});
