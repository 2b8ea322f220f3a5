import * as z from 'zod';
import type { Alarm } from './alarm.ts';
import { Dimensions } from './dimensions.ts';
import type { MetricStore } from './metric-store.ts';
import { readStatistic } from './statistic.ts';

/** State of an alarm; `INSUFFICIENT_DATA` also for an alarm or a metric that this stack does not evaluate. */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** State of an alarm, and why. */
export interface AlarmVerdict {
  readonly state: AlarmState;
  readonly reason: string;
}

/** An alarm on one metric, which is the kind that this stack evaluates. */
const MetricAlarm = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions,
  Statistic: z.string().optional(),
  ExtendedStatistic: z.string().optional(),
  Period: z.number().default(60),
  EvaluationPeriods: z.number().default(1),
  DatapointsToAlarm: z.number().optional(),
  Threshold: z.number(),
  ComparisonOperator: z.enum([
    'GreaterThanThreshold',
    'GreaterThanOrEqualToThreshold',
    'LessThanThreshold',
    'LessThanOrEqualToThreshold',
  ]),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore', 'missing']).default('missing'),
});

/** Namespaces of AWS whose metrics this stack writes itself: there, and in namespaces of users, no value means that nothing happened. */
const MEASURED = new Set(['AWS/SageMaker', 'AWS/ApiGateway']);

/** Looks at the periods before `nowMs`, the one under way included, since a laptop's user does not wait for its end. */
export function evaluateAlarm(alarm: Alarm, store: MetricStore, nowMs: number): AlarmVerdict {
  const parsed = MetricAlarm.safeParse(alarm.properties);
  if (!parsed.success) {
    return insufficient('Recorded only: the local stack evaluates alarms on one metric without metric math');
  }
  const { Namespace: namespace, MetricName: name, Dimensions: dimensions, ...rule } = parsed.data;
  const periodMs = Math.max(60, rule.Period) * 1000;
  const end = Math.floor(nowMs / periodMs) * periodMs + periodMs;
  const start = end - rule.EvaluationPeriods * periodMs;
  const periods = store.read({ namespace, name, dimensions }, start, end, periodMs);
  const statistic = rule.Statistic ?? rule.ExtendedStatistic ?? 'Average';
  const values = [...periods.values()].map((bucket) => readStatistic(bucket, statistic));
  const missing = rule.EvaluationPeriods - values.length;
  if (values.length === 0) {
    if (namespace.startsWith('AWS/') && !MEASURED.has(namespace))
      return insufficient(`The local stack does not measure ${namespace}`);
    if (rule.TreatMissingData === 'missing' || rule.TreatMissingData === 'ignore')
      return insufficient(`Insufficient Data: ${missing} datapoints were unknown.`);
  }
  const breaching =
    values.filter((value) => compares(rule.ComparisonOperator, value, rule.Threshold)).length +
    (rule.TreatMissingData === 'breaching' ? missing : 0);
  const needed = rule.DatapointsToAlarm ?? rule.EvaluationPeriods;
  const reason =
    `Threshold: ${breaching} of the last ${rule.EvaluationPeriods} datapoints [${values.join(', ')}] breached ` +
    `${rule.ComparisonOperator} ${rule.Threshold} (${needed} make an alarm).`;
  return { state: breaching >= needed ? 'ALARM' : 'OK', reason };
}

function insufficient(reason: string): AlarmVerdict {
  return { state: 'INSUFFICIENT_DATA', reason };
}

function compares(operator: string, value: number, threshold: number): boolean {
  switch (operator) {
    case 'GreaterThanThreshold':
      return value > threshold;
    case 'GreaterThanOrEqualToThreshold':
      return value >= threshold;
    case 'LessThanThreshold':
      return value < threshold;
    default:
      return value <= threshold;
  }
}
