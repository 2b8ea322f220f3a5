import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { Dimensions } from '../dimensions.ts';
import type { MetricStore } from '../metric-store.ts';
import { readStatistic } from '../statistic.ts';
import { EpochSeconds, PeriodSeconds, toStart } from '../time-range.ts';

const Query = z.strictObject({
  Id: z.string().regex(/^[a-z][a-zA-Z0-9_]*$/),
  MetricStat: z
    .strictObject({
      Metric: z.strictObject({ Namespace: z.string(), MetricName: z.string(), Dimensions }),
      Period: PeriodSeconds,
      Stat: z.string(),
      Unit: z.string().optional(),
    })
    .optional(),
  Expression: z.string().optional(),
  Label: z.string().optional(),
  ReturnData: z.boolean().default(true),
  Period: z.number().optional(),
  AccountId: z.string().optional(),
});

/** `GetMetricData`, in one page. Metric math is refused. */
export const getMetricData = (store: MetricStore) =>
  action('GetMetricData', {
    input: z.strictObject({
      MetricDataQueries: z.array(Query).min(1).max(500),
      StartTime: EpochSeconds,
      EndTime: EpochSeconds,
      ScanBy: z.enum(['TimestampDescending', 'TimestampAscending']).default('TimestampDescending'),
    }),
    permissions: () => [{ action: 'cloudwatch:GetMetricData', resource: '*' }],
    run: (input) => {
      const start = toStart(input.StartTime, input.EndTime);
      const results = input.MetricDataQueries.filter(({ ReturnData }) => ReturnData).map(
        ({ Id, MetricStat, Expression, Label }) => {
          if (MetricStat === undefined) {
            throw new AwsError(
              'ValidationError',
              `Query ${Id}: the local stack does not do metric math${Expression === undefined ? '' : ` (${Expression})`}: give a MetricStat`,
            );
          }
          const { Namespace: namespace, MetricName: name, Dimensions: dimensions } = MetricStat.Metric;
          const periods = [
            ...store.read({ namespace, name, dimensions }, start, input.EndTime, MetricStat.Period),
          ];
          if (input.ScanBy === 'TimestampDescending') periods.reverse();
          return {
            Id,
            Label: Label ?? name,
            Timestamps: periods.map(([timeMs]) => new Date(timeMs)),
            Values: periods.map(([, bucket]) => readStatistic(bucket, MetricStat.Stat)),
            StatusCode: 'Complete',
          };
        },
      );
      return { MetricDataResults: results, Messages: [] };
    },
  });
