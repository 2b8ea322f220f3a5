import { grouped, plural, pText, signedPercent } from './figures.ts';
import type { ReportComparison } from './report-comparison.ts';

/** A run against its baseline in one sentence without a full stop, for message, Markdown and terminal; names are not escaped. */
export function comparisonText(comparison: ReportComparison): string {
  const { baseline, accuracy, pValue, lost, gained, inputs, replay } = comparison;
  if (replay) return `replay of ${baseline}: ${replayText(comparison)}`;
  if (accuracy === null || pValue === null)
    return `${plural(inputs.paired, 'input')} in common with ${baseline}, none with a truth and both predictions`;
  const { low, high } = accuracy.interval;
  return (
    `${signedPercent(accuracy.change)} points (95% interval ${signedPercent(low)} to ${signedPercent(high)}) against ${baseline}, ` +
    `on ${plural(accuracy.records, 'record')} of both; ${grouped(lost)} lost, ${grouped(gained)} gained, McNemar ${pText(pValue)}`
  );
}

/** Agreement of a replayed run with its original. */
export function replayText(comparison: ReportComparison): string {
  const { answered, identical, sameClass, onlyNow, onlyBefore, scoreDistance } = comparison;
  const near = sameClass - identical;
  const other = answered - sameClass;
  const clauses = [
    `${grouped(identical)} of ${grouped(answered)} predictions identical`,
    ...(near > 0
      ? [`${grouped(near)} of the same class with a score at most ${scoreDistance.toPrecision(2)} apart`]
      : []),
    ...(other > 0 ? [`${grouped(other)} of another class`] : []),
    ...(onlyNow > 0 ? [`${grouped(onlyNow)} only now`] : []),
    ...(onlyBefore > 0 ? [`${grouped(onlyBefore)} only before`] : []),
  ];
  return clauses.join('; ');
}
