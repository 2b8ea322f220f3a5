import type { Metrics } from '../metric/metrics.ts';
import { sharePercent } from '../text/share-percent.ts';
import type { Report } from './report.ts';
import { nextStep } from './text/next-step.ts';
import { reasonsText } from './text/reasons-text.ts';

/** How a run or training ended if it has this failure instead of figures. */
export function statusOfFailure(error: string): 'refused' | 'canceled' | 'failed' {
  if (error === 'PlanRefused') return 'refused';
  return error === 'Canceled' ? 'canceled' : 'failed';
}

/** Whether a run or training ended before it had done what it was to do. */
export function isUncompleted(status: string): status is 'failed' | 'canceled' | 'refused' {
  return status === 'failed' || status === 'canceled' || status === 'refused';
}

/** How a run with predictions ended, and, if it failed, why. */
export function runStatus(
  metrics: Metrics,
  maxErrorRate: number | undefined,
): Pick<Report, 'status' | 'failure'> {
  const reasons = Object.fromEntries([...metrics.errors].sort((a, b) => b[1] - a[1]));
  const failed = (error: string, cause: string): Pick<Report, 'status' | 'failure'> => ({
    status: 'failed',
    failure: { error, cause, nextStep: nextStep({ error }, reasons) },
  });
  if (metrics.inputs === 0) return { status: 'empty', failure: null };
  if (metrics.predicted === 0)
    return failed('NothingPredicted', `No input has a usable prediction: ${reasonsText(reasons)}.`);
  if (maxErrorRate !== undefined && metrics.errorRate > maxErrorRate) {
    return failed(
      'ErrorRateExceeded',
      `${sharePercent(metrics.errorRate, maxErrorRate)} of the records count as errors; gate.maxErrorRate allows ` +
        `${sharePercent(maxErrorRate, metrics.errorRate)}.`,
    );
  }
  return { status: metrics.errors.size > 0 ? 'completed-with-errors' : 'completed', failure: null };
}
