import * as z from 'zod';
import { clustersIn } from '../judging/cluster-sums.ts';
import { effectiveCount } from '../judging/effective-count.ts';
import type { Ledger } from '../judging/ledger.ts';
import type { Clusters } from '../slice/clusters.ts';

const Count = z.int().nonnegative();

/** The records of a run as its verdict counts them. */
export const ReportLedger = z.object({
  asked: Count.describe('Records that the model had to answer, without those that were trained on.'),
  distinct: Count.describe('Those of them that are no copies.'),
  labelled: Count.describe('Distinct records with a label, answered or not: the denominator of every bound.'),
  answered: Count.describe('Labelled records with a usable answer.'),
  right: Count,
  setAside: Count.describe('Records that were trained on, which do not count.'),
  uncounted: Count.describe(
    'Files that were lost whole, with an unknown number of records: without them there is no verdict.',
  ),
  copies: Count.nullable().describe(
    'Records of files with the content of another one; null where the files do not show it, as under a KMS key.',
  ),
  clusters: z
    .object({
      noun: z.string(),
      count: Count.describe('Groups of report.clusters, about.'),
      effective: z.number().nonnegative().describe('Independent records that the labelled ones are worth.'),
    })
    .nullable()
    .describe('Null without report.clusters.'),
});
export type ReportLedger = z.infer<typeof ReportLedger>;

/** The ledger as report.json stores it. @param about how its run is planned */
export function reportLedger(
  { asked, distinct, labelled, answered, right, totals, clusters }: Ledger,
  about: { readonly clusters: Clusters | null; readonly confidence: number; readonly hidesCopies: boolean },
): ReportLedger {
  const { setAside, uncounted, copies } = totals;
  const { whole } = clusters.byPart();
  return {
    ...{ asked, distinct, labelled, answered, right, setAside, uncounted },
    copies: about.hidesCopies && copies === 0 ? null : copies,
    clusters: about.clusters && {
      noun: about.clusters.noun,
      count: clustersIn(whole.length),
      effective: effectiveCount(whole, about.confidence),
    },
  };
}
