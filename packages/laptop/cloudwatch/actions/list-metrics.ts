import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import { toDimensions } from '../dimensions.ts';
import type { MetricStore } from '../metric-store.ts';

const PAGE = 500;
const RECENT_MS = 3 * 60 * 60 * 1000;

/** `ListMetrics`, 500 at a time. */
export const listMetrics = (store: MetricStore, clock: Clock) =>
  action('ListMetrics', {
    input: z.strictObject({
      Namespace: z.string().optional(),
      MetricName: z.string().optional(),
      Dimensions: z.array(z.strictObject({ Name: z.string(), Value: z.string().optional() })).default([]),
      RecentlyActive: z.literal('PT3H').optional(),
      NextToken: z.string().optional(),
    }),
    permissions: () => [{ action: 'cloudwatch:ListMetrics', resource: '*' }],
    run: (input) => {
      const from = input.NextToken === undefined ? 0 : Number(input.NextToken);
      if (!Number.isInteger(from))
        throw new AwsError('InvalidParameterValue', `Invalid NextToken: ${input.NextToken}`);
      const recentMs = input.RecentlyActive === undefined ? 0 : clock.now() - RECENT_MS;
      const found = [...store.metrics()].filter(
        ({ namespace, name, dimensions, lastMs }) =>
          (input.Namespace ?? namespace) === namespace &&
          (input.MetricName ?? name) === name &&
          lastMs >= recentMs &&
          input.Dimensions.every(
            ({ Name, Value }) =>
              Object.hasOwn(dimensions, Name) && (Value ?? dimensions[Name]) === dimensions[Name],
          ),
      );
      return {
        Metrics: found.slice(from, from + PAGE).map(({ namespace, name, dimensions }) => ({
          Namespace: namespace,
          MetricName: name,
          Dimensions: toDimensions(dimensions),
        })),
        NextToken: found.length > from + PAGE ? String(from + PAGE) : undefined,
      };
    },
  });
