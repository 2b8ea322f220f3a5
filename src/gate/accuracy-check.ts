import { sampledLowerBound } from '../judging/sampled-share.ts';
import type { Metrics } from '../metric/metrics.ts';
import { wilsonLowerBound } from '../metric/wilson-interval.ts';
import { grouped, plural } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';
import {
  checked,
  type EarlyEvidence,
  type GateBounds,
  type GateCheck,
  type GateEvidence,
} from './gate-check.ts';
import { whyUnjudged } from './why-unjudged.ts';

/** Whether accuracy reaches its minimum; with `confidence`, whether what the records prove at that confidence does. */
export function accuracyChecks(
  { minAccuracy, confidence = null }: GateBounds,
  { metrics, sample }: GateEvidence,
): GateCheck[] {
  if (minAccuracy === undefined) return [];
  const { accuracy, labelled } = metrics;
  const minimum = (figure: number): string => `the minimum of ${sharePercent(minAccuracy, figure)}`;
  if (accuracy === undefined)
    return [
      checked(
        false,
        `accuracy must be at least ${sharePercent(minAccuracy)} and cannot be judged: ${whyUnjudged(metrics)}`,
      ),
    ];
  if (sample?.early?.accuracy !== undefined)
    return [earlyCheck(minAccuracy, sample, { ...sample.early, ...sample.early.accuracy })];
  const shown = `accuracy ${sharePercent(accuracy, minAccuracy)}`;
  if (accuracy < minAccuracy) return [checked(false, `${shown} is below ${minimum(accuracy)}`)];
  const proven = confidence === null ? undefined : provenAccuracy(metrics, sample, confidence);
  if (confidence === null || proven === undefined)
    return [checked(true, `${shown} is at least ${minimum(accuracy)}`)];
  const known = `accuracy ${sharePercent(accuracy)} of ${plural(labelled, 'labelled record')} proves at least ${sharePercent(proven, minAccuracy)}${sample === undefined ? '' : ' of all inputs'} at ${sharePercent(confidence)} confidence`;
  return proven >= minAccuracy
    ? [checked(true, `${known}, which reaches ${minimum(proven)}`)]
    : [checked(false, `${known}, below ${minimum(proven)}: more labelled records would prove more`)];
}

/** Whether the rounds of a run prove that the whole drop would pass, or that it would fail. */
function earlyCheck(
  minAccuracy: number,
  { inputs, of }: { readonly inputs: number; readonly of: number },
  {
    verdict,
    needed,
    interval: { low, high },
    confidence,
    stopped,
  }: EarlyEvidence & NonNullable<EarlyEvidence['accuracy']>,
): GateCheck {
  const known = `after ${grouped(inputs)} of ${plural(of, 'input')}, the accuracy of all ${grouped(of)} is between ${sharePercent(low, needed)} and ${sharePercent(high, needed)} (${sharePercent(confidence)} confidence)`;
  const minimum = `the minimum of ${sharePercent(minAccuracy, needed)}`;
  const bound =
    needed === minAccuracy
      ? minimum
      : `the ${sharePercent(needed, minAccuracy)} that all of them must have to prove ${minimum}`;
  if (verdict === 'passed') return checked(true, `decided ${known}, which reaches ${bound}`);
  if (verdict === 'failed') return checked(false, `decided ${known}, below ${bound}`);
  const why = stopped === null ? '' : `; ${stopped}`;
  return { verdict: 'none', says: `not decided ${known}, and ${bound} lies within${why}` };
}

/** The accuracy that the records of a run prove at a confidence; those of a sample prove it of the whole drop. */
function provenAccuracy(
  { correct, labelled }: Pick<Metrics, 'correct' | 'labelled'>,
  sample: GateEvidence['sample'],
  confidence: number,
): number | undefined {
  return sample === undefined
    ? wilsonLowerBound(correct, labelled, confidence)
    : sampledLowerBound(sample.strata, confidence);
}
