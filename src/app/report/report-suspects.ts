import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { Ledger } from '../../judging/ledger.ts';
import type { Tally } from '../../metric/tally.ts';
import type { ScoringPlan } from '../../plan/scoring-plan.ts';
import type { SuspectLabels } from '../../report/suspect-labels.ts';
import { SUSPECT_LABELS_CSV } from '../../report/table/suspect-labels-csv.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { findSuspects } from './find-suspects.ts';
import type { MergedLabels } from './merge-shards.ts';

/** Suspects in report.json. */
const SHOWN_SUSPECTS = 60;

/** Finds the mistakes with a label worth a look and writes suspect-labels.csv; null if the outputs do not allow it. */
export async function reportSuspects(
  store: ObjectStore,
  run: RunParts,
  plan: ScoringPlan,
  {
    labels,
    tally,
    ledger,
  }: {
    readonly labels: MergedLabels;
    readonly tally: Tally;
    readonly ledger: Ledger;
  },
): Promise<SuspectLabels | null> {
  const { answered: labeled, right: correct, totals } = ledger;
  if (tally.distributions === 0 || labeled === 0) return null;
  const { listed, ...counts } = await findSuspects(store, run, { plan, ...labels });
  await store.write(
    bucketLayout.suspectLabels(run),
    [SUSPECT_LABELS_CSV.header, ...listed.map(SUSPECT_LABELS_CSV.line)].join(''),
    {
      contentType: 'text/csv; charset=utf-8',
    },
  );
  return {
    labeled,
    correct,
    leftOut: totals.setAside + totals.copies,
    ...counts,
    accuracy: correct / labeled,
    accuracyAtMost: (correct + counts.suspects + counts.undecided) / labeled,
    first: listed.slice(0, SHOWN_SUSPECTS),
  };
}
