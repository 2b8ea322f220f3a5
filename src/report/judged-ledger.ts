import { clustersIn } from '../judging/cluster-sums.ts';
import { effectiveCount } from '../judging/effective-count.ts';
import type { Ledger } from '../judging/ledger.ts';
import type { Clusters } from '../slice/dimension.ts';
import type { ReportLedger } from './report-ledger.ts';

/** The ledger as report.json stores it. @param about how its run is planned */
export function reportLedger(
  { asked, distinct, labeled, answered, right, totals, clusters }: Ledger,
  about: { readonly clusters: Clusters | null; readonly confidence: number; readonly hidesCopies: boolean },
): ReportLedger {
  const { setAside, uncounted, copies } = totals;
  const whole = clusters.whole();
  return {
    asked,
    distinct,
    labeled,
    answered,
    right,
    setAside,
    uncounted,
    copies: about.hidesCopies && copies === 0 ? null : copies,
    clusters: about.clusters && {
      noun: about.clusters.noun,
      count: clustersIn(whole.length),
      effective: effectiveCount(whole, about.confidence),
    },
  };
}
