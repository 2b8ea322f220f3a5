import { grouped, pText, signedPercent } from './figures.ts';
import type { ReportComparison } from './report-comparison.ts';

/** Change of accuracy against the baseline in one sentence, for message, Markdown and terminal; the baseline's name is raw. */
export function comparisonText({
  baseline,
  accuracy,
  pValue,
  lost,
  gained,
  inputs,
  replay,
}: ReportComparison): string {
  const other = replay ? `${baseline}, which it repeats` : baseline;
  if (accuracy === null || pValue === null)
    return `${grouped(inputs.paired)} inputs in common with ${other}, none with a truth and both predictions`;
  const { low, high } = accuracy.interval;
  return (
    `${signedPercent(accuracy.change)} points (95% interval ${signedPercent(low)} to ${signedPercent(high)}) against ${other}, ` +
    `on ${grouped(accuracy.records)} records of both; ${grouped(lost)} lost, ${grouped(gained)} gained, McNemar ${pText(pValue)}`
  );
}
