import { type Flip, flipKind } from '../../metric/flip.ts';
import { csvTable } from './csv-table.ts';
import { PLACE_COLUMNS } from './place-columns.ts';

/** flips.csv: the records whose prediction differs from the baseline run's. */
export const FLIPS_CSV = csvTable<Flip>({
  ...PLACE_COLUMNS,
  change: flipKind,
  truth: ({ truth }) => truth,
  before: ({ before }) => before,
  now: ({ now }) => now,
  score_before: ({ scoreBefore }) => scoreBefore,
  score_now: ({ scoreNow }) => scoreNow,
});
