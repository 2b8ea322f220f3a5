import { UNJUDGED } from '../../tasks/unjudged.ts';
import { grouped, short } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import type { ReportComparison } from '../report-comparison.ts';

/** Agreement of a replayed run with its original. */
export function replayText(comparison: ReportComparison, task: Report['task']): string {
  const { answered, identical, sameClass, onlyNow, onlyBefore, scoreDistance } = comparison;
  const near = sameClass - identical;
  const other = answered - sameClass;
  const another = UNJUDGED[task] === null ? 'of another class' : 'with another answer';
  return [
    `${grouped(identical)} of ${grouped(answered)} predictions identical`,
    near > 0 && `${grouped(near)} of the same class with a score at most ${short(scoreDistance, 2)} apart`,
    other > 0 && `${grouped(other)} ${another}`,
    onlyNow > 0 && `${grouped(onlyNow)} only now`,
    onlyBefore > 0 && `${grouped(onlyBefore)} only before`,
  ]
    .filter((clause) => clause !== false)
    .join('; ');
}
