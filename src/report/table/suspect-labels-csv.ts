import type { SuspectLabel } from '../suspect-labels.ts';
import { csvCell } from './errors-csv.ts';

const HEADER = 'key,record_index,label,looks_like,score,label_score,margin\r\n';

/** suspect-labels.csv, in which no cell is a formula. */
export function suspectLabelsCsv(suspects: readonly SuspectLabel[]): string {
  const rows = suspects.map(({ key, recordIndex, truth, predicted, confidence, truthScore, margin }) => {
    const texts = [key, String(recordIndex), truth, predicted].map(csvCell);
    return `${[...texts, confidence ?? '', truthScore ?? '', margin].join(',')}\r\n`;
  });
  return HEADER + rows.join('');
}
