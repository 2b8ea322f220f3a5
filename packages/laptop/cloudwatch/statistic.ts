import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import { type MetricBucket, percentileOf } from './metric-bucket.ts';

const PERCENTILE = /^p(\d{1,2}(?:\.\d{1,10})?|100)$/;

/** Reads a statistic of a bucket: `Sum`, `Average`, `Minimum`, `Maximum`, `SampleCount`, or a percentile such as `p99`. */
export function readStatistic(bucket: MetricBucket, statistic: string): number {
  switch (statistic) {
    case 'Sum':
      return bucket.sum;
    case 'Average':
      return bucket.sum / bucket.count;
    case 'Minimum':
      return bucket.min;
    case 'Maximum':
      return bucket.max;
    case 'SampleCount':
      return bucket.count;
    default: {
      const percent = PERCENTILE.exec(statistic)?.[1];
      if (percent !== undefined) return percentileOf(bucket, Number(percent));
      throw new AwsError(
        'InvalidParameterValue',
        `The local stack does not know statistic ${statistic}: it must be Sum, Average, Minimum, Maximum, SampleCount or pNN`,
      );
    }
  }
}

/** Dimensions as the API has them; the result is a plain record. */
export const Dimensions = z
  .array(z.strictObject({ Name: z.string().min(1).max(255), Value: z.string().min(1).max(1024) }))
  .max(30)
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ Name, Value }) => [Name, Value])));
