import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { MetricStore } from '../metric-store.ts';
import { Dimensions, readStatistic } from '../statistic.ts';

/** A time of the JSON protocol: seconds since the epoch. */
const EpochSeconds = z.number().transform((seconds) => seconds * 1000);

/** A period of at least a minute, which is the finest that this stack keeps. */
const PeriodSeconds = z
  .int()
  .min(1)
  .refine((period) => period % 60 === 0, {
    message: 'must be a multiple of 60: this stack keeps values by the minute',
  })
  .transform((seconds) => seconds * 1000);

const MINUTE_MS = 60_000;

/**
 * The start is rounded down to the minute, as CloudWatch does it.
 *
 * @throws {AwsError} `InvalidParameterValue`
 */
function toStart(startMs: number, endMs: number): number {
  if (startMs >= endMs)
    throw new AwsError(
      'InvalidParameterValue',
      'The parameter StartTime must be less than the parameter EndTime.',
    );
  return Math.floor(startMs / MINUTE_MS) * MINUTE_MS;
}

/** The unit of a metric of this stack's services; metrics put by clients have no unit here. */
function unitOf(metricName: string): string {
  if (/Latency$/.test(metricName))
    return metricName === 'ModelLatency' || metricName === 'OverheadLatency'
      ? 'Microseconds'
      : 'Milliseconds';
  return 'None';
}

const Datum = z.strictObject({
  MetricName: z.string().min(1).max(255),
  Dimensions,
  Timestamp: EpochSeconds.optional(),
  Value: z.number().optional(),
  Values: z.array(z.number()).max(150).optional(),
  Counts: z.array(z.number().min(0)).max(150).optional(),
  /** Recorded by AWS; this stack keeps values without their unit. */
  Unit: z.string().optional(),
  StorageResolution: z.number().optional(),
});

/** Calls on metrics. */
export const metricActions = (store: MetricStore) => [
  /** `PutMetricData` of single values and lists of values. */
  action('PutMetricData', {
    input: z.strictObject({
      Namespace: z.string().min(1).max(255),
      MetricData: z.array(Datum).max(1000),
    }),
    permissions: (input, action) => {
      const { Namespace } = z.looseObject({ Namespace: z.string().catch('') }).parse(input);
      const context = { 'cloudwatch:namespace': Namespace };
      return [{ action: `cloudwatch:${action}`, resource: '*', context }];
    },
    run: ({ Namespace: namespace, MetricData }) => {
      if (namespace.startsWith('AWS/'))
        throw new AwsError('InvalidParameterValue', 'The value AWS/ for parameter Namespace is invalid.');
      if (MetricData.some(({ Value, Values }) => Value === undefined && Values === undefined))
        throw new AwsError('MissingParameter', 'At least one of the parameters must be specified.');
      for (const datum of MetricData) {
        const metric = { namespace, name: datum.MetricName, dimensions: datum.Dimensions };
        const time = datum.Timestamp === undefined ? {} : { timeMs: datum.Timestamp };
        const values = datum.Values ?? (datum.Value === undefined ? [] : [datum.Value]);
        values.forEach((value, index) =>
          store.add(metric, value, { ...time, count: datum.Counts?.[index] ?? 1 }),
        );
      }
    },
  }),
  /** `GetMetricStatistics`: one datapoint for each period with values, oldest first. */
  action('GetMetricStatistics', {
    input: z.strictObject({
      Namespace: z.string(),
      MetricName: z.string(),
      Dimensions,
      StartTime: EpochSeconds,
      EndTime: EpochSeconds,
      Period: PeriodSeconds,
      Statistics: z.array(z.enum(['SampleCount', 'Average', 'Sum', 'Minimum', 'Maximum'])).default([]),
      ExtendedStatistics: z.array(z.string()).default([]),
      Unit: z.string().optional(),
    }),
    permissions: () => [{ action: 'cloudwatch:GetMetricStatistics', resource: '*' }],
    run: (input) => {
      const start = toStart(input.StartTime, input.EndTime);
      if (input.Statistics.length + input.ExtendedStatistics.length === 0)
        throw new AwsError(
          'InvalidParameterCombination',
          'At least one of the parameters Statistics and ExtendedStatistics must be specified.',
        );
      const asked = Math.ceil((input.EndTime - start) / input.Period);
      if (asked > MAX_DATAPOINTS)
        throw new AwsError(
          'InvalidParameterCombination',
          `You have requested up to ${asked} datapoints, which exceeds the limit of 1,440. You may reduce the ` +
            'datapoints requested by increasing Period, or decreasing the time range.',
        );
      const { Namespace: namespace, MetricName: name, Dimensions: dimensions } = input;
      const periods = store.read({ namespace, name, dimensions }, start, input.EndTime, input.Period);
      return {
        Label: name,
        Datapoints: [...periods].map(([timeMs, bucket]) => ({
          Timestamp: new Date(timeMs),
          ...Object.fromEntries(input.Statistics.map((one) => [one, readStatistic(bucket, one)])),
          ...(input.ExtendedStatistics.length > 0 && {
            ExtendedStatistics: Object.fromEntries(
              input.ExtendedStatistics.map((one) => [one, readStatistic(bucket, one)]),
            ),
          }),
          Unit: unitOf(name),
        })),
      };
    },
  }),
];

const MAX_DATAPOINTS = 1440;
