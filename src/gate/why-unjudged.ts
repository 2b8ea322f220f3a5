import type { Metrics } from '../metric/metrics.ts';

/** Why there is no figure to compare with a bound. */
export function whyUnjudged({ inputs, predicted }: Pick<Metrics, 'inputs' | 'predicted'>): string {
  if (inputs === 0) return 'the run has no inputs';
  if (predicted === 0) return 'no input has a usable prediction';
  return 'no record with a prediction has a known truth (labels.truth)';
}
