import { sharePercent } from '../metric/share-percent.ts';
import type { GateBounds, GateCheck, GateEvidence } from './gate-check.ts';

/**
 * Whether accuracy fell too far below the baseline's, on the records that both runs have. With `significance`, a loss that chance
 * explains passes.
 */
export function lossChecks(
  { maxAccuracyDrop, significance }: GateBounds,
  { comparison, first }: GateEvidence,
): GateCheck[] {
  if (maxAccuracyDrop === undefined && significance === undefined) return [];
  if (first) return [{ passed: true, says: 'no run of the pipeline has passed before it to compare with' }];
  const accuracy = comparison?.result.accuracy;
  const test = comparison?.result.test;
  if (comparison === undefined || accuracy === undefined || test === undefined) {
    const why =
      comparison === undefined
        ? 'there is no baseline run'
        : `${comparison.baseline} shares no input whose truth and predictions are known`;
    return [{ passed: false, says: `accuracy must be compared with the baseline’s and cannot be: ${why}` }];
  }
  const allowed = maxAccuracyDrop ?? 0;
  const moved = `${sharePercent(accuracy.before, accuracy.now)} of ${comparison.baseline} to ${sharePercent(accuracy.now, accuracy.before)} on the ${accuracy.records} records of both`;
  const loss = -accuracy.change;
  if (loss <= allowed) {
    const words = loss > 0 ? `no more than ${sharePercent(allowed)} below` : 'not below';
    return [{ passed: true, says: `accuracy is ${words} the baseline’s (${moved})` }];
  }
  const chance = `McNemar’s test ${pText(test.pValue)}`;
  const fell = `accuracy fell by ${sharePercent(loss, allowed)} (${moved}), more than the ${sharePercent(allowed, loss)} allowed`;
  if (significance === undefined) return [{ passed: false, says: fell }];
  return test.pValue < significance
    ? [{ passed: false, says: `${fell}, and not by chance (${chance}, below ${significance})` }]
    : [{ passed: true, says: `${fell}, which chance explains (${chance}, not below ${significance})` }];
}

/** `p = 0.031`; values below 0.0001 are shown as `p < 0.0001`. */
function pText(pValue: number): string {
  return pValue < 0.0001 ? 'p < 0.0001' : `p = ${Number(pValue.toPrecision(2))}`;
}
