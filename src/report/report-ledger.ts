import * as z from 'zod';
import type { Ledger } from '../judging/ledger.ts';

const Count = z.int().nonnegative();

/** The records of a run as its verdict counts them. */
export const ReportLedger = z.object({
  asked: Count.describe('Records that the model had to answer, without those that were trained on.'),
  distinct: Count.describe('Those of them that are no copies.'),
  labelled: Count.describe('Distinct records with a label, answered or not: the denominator of every bound.'),
  answered: Count.describe('Labelled records with a usable answer.'),
  right: Count,
  setAside: Count.describe('Records that were trained on, which do not count.'),
  uncounted: Count.describe('Files that were lost whole, with nobody knows how many records.'),
});
export type ReportLedger = z.infer<typeof ReportLedger>;

/** The ledger as report.json stores it. */
export function reportLedger({ asked, distinct, labelled, answered, right, totals }: Ledger): ReportLedger {
  const { setAside, uncounted } = totals;
  return { asked, distinct, labelled, answered, right, setAside, uncounted };
}
