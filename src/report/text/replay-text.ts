import { UNJUDGED } from '../../tasks/unjudged.ts';
import { grouped, short } from '../../text/figures.ts';
import type { Report } from '../report.ts';
import type { ReportComparison } from '../report-comparison.ts';

/** Agreement of a replayed run with its original. */
export function replayText(comparison: ReportComparison, task: Report['task']): string {
  const { answered, identical, sameClass, onlyNow, onlyBefore, scoreDistance } = comparison;
  const near = sameClass - identical;
  const other = answered - sameClass;
  const clauses = [
    `${grouped(identical)} of ${grouped(answered)} predictions identical`,
    ...(near > 0
      ? [`${grouped(near)} of the same class with a score at most ${short(scoreDistance, 2)} apart`]
      : []),
    ...(other > 0
      ? [
          UNJUDGED[task] === null
            ? `${grouped(other)} of another class`
            : `${grouped(other)} with another answer`,
        ]
      : []),
    ...(onlyNow > 0 ? [`${grouped(onlyNow)} only now`] : []),
    ...(onlyBefore > 0 ? [`${grouped(onlyBefore)} only before`] : []),
  ];
  return clauses.join('; ');
}
