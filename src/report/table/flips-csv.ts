import { type Flip, flipKind } from '../../metric/flip.ts';
import { csvCell } from './errors-csv.ts';

/** First line of flips.csv. */
export const FLIPS_CSV_HEADER = 'key,record_index,change,truth,before,now,score_before,score_now\r\n';

/** One line of flips.csv: a record whose prediction differs from the baseline run's. */
export function flipsCsvRow(flip: Flip): string {
  const { key, recordIndex, truth, before, now, scoreBefore, scoreNow } = flip;
  const score = (value: number | null): string => (value === null ? '' : String(value));
  const cells = [key, String(recordIndex), flipKind(flip), truth ?? '', before, now];
  // Scores are written by this program, so a leading minus is not a formula.
  return `${cells.map(csvCell).join(',')},${score(scoreBefore)},${score(scoreNow)}\r\n`;
}
