import { grouped, plural, pText, signedPercent } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import {
  checked,
  type EarlyEvidence,
  type GateBounds,
  type GateCheck,
  type GateEvidence,
} from './gate-check.ts';

/**
 * Whether accuracy fell too far below the baseline's, on the records that both runs have. With `significance`, a loss that chance
 * explains passes. Fewer shared records than `minInputs` decide nothing.
 */
export function lossChecks(
  { maxAccuracyDrop, significance, minInputs = 1 }: GateBounds,
  { comparison, first, sample }: GateEvidence,
): GateCheck[] {
  if (maxAccuracyDrop === undefined && significance === undefined) return [];
  if (first) return [checked(true, 'no run of the pipeline has passed before it to compare with')];
  const accuracy = comparison?.result.accuracy;
  const test = comparison?.result.test;
  if (comparison === undefined || comparison.isDoubted || accuracy === undefined || test === undefined) {
    const why =
      comparison === undefined
        ? 'there is no baseline run'
        : comparison.isDoubted
          ? `answers of ${comparison.baseline} may not be those of each input alone`
          : `${comparison.baseline} shares no input whose truth and predictions are known`;
    return [checked(false, `accuracy must be compared with the baseline’s and cannot be: ${why}`)];
  }
  if (accuracy.records < minInputs)
    return [
      {
        verdict: 'none',
        says: `accuracy must be compared on at least ${plural(minInputs, 'record')} (gate.minInputs), and ${comparison.baseline} shares ${grouped(accuracy.records)}`,
      },
    ];
  const allowed = maxAccuracyDrop ?? 0;
  if (sample?.early?.loss !== undefined)
    return [
      earlyCheck(allowed, comparison.baseline, { ...sample, early: sample.early, ...sample.early.loss }),
    ];
  const moved = `${sharePercent(accuracy.before, accuracy.now)} of ${comparison.baseline} to ${sharePercent(accuracy.now, accuracy.before)} on the ${plural(accuracy.records, 'record')} of both`;
  const loss = -accuracy.change;
  if (loss <= allowed) {
    const words = loss > 0 ? `no more than ${sharePercent(allowed)} below` : 'not below';
    return [checked(true, `accuracy is ${words} the baseline’s (${moved})`)];
  }
  const chance = `McNemar’s test ${pText(test.pValue)}`;
  const fell = `accuracy fell by ${sharePercent(loss, allowed)} (${moved}), more than the ${sharePercent(allowed, loss)} allowed`;
  if (significance === undefined) return [checked(false, fell)];
  return test.pValue < significance
    ? [checked(false, `${fell}, and not by chance (${chance}, below ${significance})`)]
    : [checked(true, `${fell}, which chance explains (${chance}, not below ${significance})`)];
}

/** Whether the rounds of a run prove that the whole drop would lose no more than allowed, or that it would lose more. */
function earlyCheck(
  allowed: number,
  baseline: string,
  {
    inputs,
    of,
    early: { change, confidence, stopped },
    verdict,
  }: {
    readonly inputs: number;
    readonly of: number;
    readonly early: EarlyEvidence;
    readonly verdict: EarlyEvidence['verdict'];
  },
): GateCheck {
  const known = `after ${grouped(inputs)} of ${plural(of, 'input')}, the change of accuracy on all that ${baseline} shares is between ${signedPercent(change.low)} and ${signedPercent(change.high)} points (${sharePercent(confidence)} confidence)`;
  const bound = `the loss of ${sharePercent(allowed)} that is allowed`;
  if (verdict === 'passed') return checked(true, `decided ${known}, which is within ${bound}`);
  if (verdict === 'failed') return checked(false, `decided ${known}, which is beyond ${bound}`);
  const why = stopped === null ? '' : `; ${stopped}`;
  return { verdict: 'none', says: `not decided ${known}, on both sides of ${bound}${why}` };
}
