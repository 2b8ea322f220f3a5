import type * as z from 'zod';
import { validationError } from '../kernel/aws-error.ts';
import { checkCall } from '../service-model/check-request.ts';
import type { AlarmProperties } from './alarm.ts';

/** Seconds that `Period` times `EvaluationPeriods` may span, by CloudWatch's manual: of periods from an hour on, and of shorter ones. */
const MAX_WINDOW_SECONDS = { hours: 604_800, minutes: 86_400 };
const HOUR_SECONDS = 3600;
/** Services that an alarm can act on: the vendors of an action's ARN. */
const VENDORS = new Set(['automate', 'sns', 'autoscaling', 'ssm', 'ssm-incidents', 'lambda', 'swf']);
/** Operators that compare with a band, which needs no threshold. */
const OF_A_BAND = /LowerOrGreaterThanUpper|LessThanLower|GreaterThanUpper/;

/**
 * Checks an alarm as CloudWatch does.
 *
 * @throws {AwsError} `ValidationError`, as for PutMetricAlarm
 */
export function checkAlarm({ Tags: _, ...alarm }: z.infer<typeof AlarmProperties>): void {
  const refuse = (message: string): never => {
    throw validationError(message);
  };
  checkCall('cloudwatch', 'PutMetricAlarm', { AlarmName: 'alarm', ...alarm });
  const { Period: period, EvaluationPeriods: periods = 1, DatapointsToAlarm: datapoints } = alarm;
  if (period !== undefined && (period % 60 !== 0 || period === 0) && ![10, 20, 30].includes(period))
    refuse('Period must be 10, 20, 30 or a multiple of 60');
  const longest = (period ?? 0) >= HOUR_SECONDS ? MAX_WINDOW_SECONDS.hours : MAX_WINDOW_SECONDS.minutes;
  if ((period ?? 0) * periods > longest)
    refuse(
      `Metrics cannot be checked across more than that: EvaluationPeriods * Period must be <= ${longest}`,
    );
  if (datapoints !== undefined && datapoints > periods)
    refuse('DatapointsToAlarm must be less than or equal to EvaluationPeriods');
  if (alarm.Threshold === undefined && !OF_A_BAND.test(alarm.ComparisonOperator ?? ''))
    refuse('PutMetricAlarm request should have valid Threshold parameter');
  const { AlarmActions = [], OKActions = [], InsufficientDataActions = [] } = alarm;
  for (const action of [...AlarmActions, ...OKActions, ...InsufficientDataActions]) {
    const vendor = action.split(':')[2] ?? '';
    if (!VENDORS.has(vendor)) refuse(`Unsupported AWS vendor ${vendor}`);
  }
}
