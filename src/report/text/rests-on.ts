import { grouped, plural } from '../../text/figures.ts';
import type { ReportLedger } from '../report-ledger.ts';

/** Words for the basis of a verdict: page, message, comment and terminal print the same ones. Undefined if nothing has a label. */
export function restsOn(ledger: ReportLedger): { readonly value: string; readonly note: string } | undefined {
  const { asked, distinct, labeled, answered, right, setAside, uncounted, copies, clusters } = ledger;
  if (labeled === 0) return undefined;
  const some = (count: number, says: string): string[] => (count === 0 ? [] : [`${grouped(count)} ${says}`]);
  const left = [
    ...some(setAside, 'trained on and left out'),
    ...(copies === null
      ? ['copies not known']
      : some(copies, copies === 1 ? 'copy left out' : 'copies left out')),
    ...some(distinct - labeled, 'without a label'),
    ...some(labeled - answered, 'without an answer, which is wrong'),
    ...some(
      uncounted,
      uncounted === 1
        ? 'lost file with an unknown number of records'
        : 'lost files with an unknown number of records',
    ),
  ];
  const whole = left.length === 0 ? 'all labeled and answered' : left.join('; ');
  const alike =
    clusters === null
      ? ''
      : `; about ${plural(clusters.count, clusters.noun)}, worth ${grouped(Math.floor(clusters.effective))} independent of each other`;
  return {
    value: `${grouped(right)} right of ${grouped(labeled)} labeled`,
    note: `${grouped(asked)} asked; ${whole}${alike}`,
  };
}
