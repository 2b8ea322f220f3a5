import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { Dimensions } from '../dimensions.ts';
import type { MetricStore } from '../metric-store.ts';
import { readStatistic } from '../statistic.ts';
import { EpochSeconds, PeriodSeconds, toStart } from '../time-range.ts';
import { unitOf } from '../unit.ts';

const MAX_DATAPOINTS = 1440;

/** `GetMetricStatistics`: one datapoint for each period with values, oldest first. */
export const getMetricStatistics = (store: MetricStore) =>
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
      if (input.Statistics.length + input.ExtendedStatistics.length === 0) {
        throw new AwsError(
          'InvalidParameterCombination',
          'At least one of the parameters Statistics and ExtendedStatistics must be specified.',
        );
      }
      const asked = Math.ceil((input.EndTime - start) / input.Period);
      if (asked > MAX_DATAPOINTS) {
        throw new AwsError(
          'InvalidParameterCombination',
          `You have requested up to ${asked} datapoints, which exceeds the limit of 1,440. You may reduce the ` +
            'datapoints requested by increasing Period, or decreasing the time range.',
        );
      }
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
  });
