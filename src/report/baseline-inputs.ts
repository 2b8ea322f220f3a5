import type { ReportLedger } from './report-ledger.ts';

/** A run that another one is compared with. */
interface Baseline {
  readonly total: number;
  /** Null for a run without predictions. */
  readonly ledger: Pick<ReportLedger, 'asked' | 'setAside' | 'copies'> | null;
}

/**
 * Number of the baseline's inputs that a run could have compared: copies of others are compared in no run. Null if its files have many
 * records, which hide how many of the files are copies.
 *
 * @param own `leavesOut` if the run leaves out what a model was trained on; then the baseline has the same files
 */
export function baselineInputs(
  { total, ledger }: Baseline,
  own: { readonly inputs: number; readonly compared: number; readonly leavesOut: boolean },
): number | null {
  if (own.leavesOut) return total - (own.inputs - own.compared);
  if (ledger === null || ledger.copies === null || ledger.copies === 0) return total;
  return ledger.asked + ledger.setAside > total ? null : total - ledger.copies;
}
