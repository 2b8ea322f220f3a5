import * as z from 'zod';
import type { Alarm } from './alarm.ts';
import { evaluateMath, type Series } from './metric-math.ts';
import type { MetricStore } from './metric-store.ts';
import { Dimensions, readStatistic } from './statistic.ts';

/** State of an alarm; `INSUFFICIENT_DATA` also for an alarm or a metric that this stack does not evaluate. */
export type AlarmState = 'OK' | 'ALARM' | 'INSUFFICIENT_DATA';

/** State of an alarm, and why. */
export interface AlarmVerdict {
  readonly state: AlarmState;
  readonly reason: string;
}

const Period = z.coerce.number().default(60);
const Metric = z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions });
const MetricStat = z.object({ Metric, Period, Stat: z.string() });
const MetricQuery = z.object({ Id: z.string(), MetricStat, ReturnData: z.literal(false) });
const Expression = z.object({ Expression: z.string(), ReturnData: z.literal(true).optional() });

/** An alarm on one metric: as metric math, the metric itself. */
const OneMetric = Metric.extend({
  Period,
  Statistic: z.string().optional(),
  ExtendedStatistic: z.string().optional(),
}).transform(({ Period, Statistic, ExtendedStatistic, ...Metric }) => {
  const Stat = Statistic ?? ExtendedStatistic ?? 'Average';
  return { expression: 'it', metrics: [{ Id: 'it', MetricStat: { Metric, Period, Stat } }] };
});

/** An alarm on metric math: one expression, and the metrics in it. */
const MetricMath = z
  .object({ Metrics: z.array(z.union([MetricQuery, Expression])) })
  .transform(({ Metrics }, context) => {
    const [math, ...others] = Metrics.flatMap((one) => ('Expression' in one ? [one] : []));
    if (math !== undefined && others.length === 0)
      return {
        expression: math.Expression,
        metrics: Metrics.flatMap((one) => ('MetricStat' in one ? [one] : [])),
      };
    context.addIssue('must have one expression');
    return z.NEVER;
  });

const Rule = z.object({
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
const Evaluated = z.intersection(Rule, z.union([OneMetric, MetricMath]));

/**
 * AWS namespaces with metrics that this stack writes itself. In these, and in users' namespaces, a missing value means that nothing
 * happened.
 */
const MEASURED = new Set(['AWS/SageMaker', 'AWS/ApiGateway']);

/** Looks at the periods before `nowMs`, the one under way included, since a laptop's user does not wait for its end. */
export function evaluateAlarm(alarm: Alarm, store: MetricStore, nowMs: number): AlarmVerdict {
  const parsed = Evaluated.safeParse(alarm.properties);
  if (!parsed.success)
    return insufficient('Recorded only: the local stack evaluates alarms on a metric, or on one expression');
  const { expression, metrics, ...rule } = parsed.data;
  const periodMs = Math.max(60, ...metrics.map(({ MetricStat: { Period } }) => Period)) * 1000;
  const end = Math.floor(nowMs / periodMs) * periodMs + periodMs;
  const start = end - rule.EvaluationPeriods * periodMs;
  const series = new Map(
    metrics.map(({ Id, MetricStat: { Metric, Stat } }) => {
      const { Namespace: namespace, MetricName: name, Dimensions: dimensions } = Metric;
      const periods = store.read({ namespace, name, dimensions }, start, end, periodMs);
      return [Id, new Map([...periods].map(([time, bucket]) => [time, readStatistic(bucket, Stat)]))];
    }),
  );
  const values = valuesOf(expression, series);
  if (typeof values === 'string') return insufficient(values);
  const missing = rule.EvaluationPeriods - values.length;
  if (values.length === 0) {
    const unmeasured = metrics.map(({ MetricStat }) => MetricStat.Metric.Namespace).find(isUnmeasured);
    if (unmeasured !== undefined) return insufficient(`The local stack does not measure ${unmeasured}`);
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

/** The values of an expression, or the reason that it can't be evaluated. */
function valuesOf(expression: string, series: ReadonlyMap<string, Series>): readonly number[] | string {
  try {
    return [...evaluateMath(expression, series).values()];
  } catch (error) {
    if (error instanceof SyntaxError) return `Recorded only: ${error.message}`;
    throw error;
  }
}

function isUnmeasured(namespace: string): boolean {
  return namespace.startsWith('AWS/') && !MEASURED.has(namespace);
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
