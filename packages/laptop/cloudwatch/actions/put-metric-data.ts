import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { Dimensions } from '../dimensions.ts';
import type { MetricStore } from '../metric-store.ts';
import { EpochSeconds } from '../time-range.ts';

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

/** `PutMetricData` of single values and lists of values. */
export const putMetricData = (store: MetricStore) =>
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
      if (namespace.startsWith('AWS/')) {
        throw new AwsError('InvalidParameterValue', 'The value AWS/ for parameter Namespace is invalid.');
      }
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
  });
