import { CloudWatchClient, GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import { withErrorNames } from '../calls/aws-error.ts';

/** CloudWatch's invocation counts of an endpoint. */
export interface InvocationMetrics {
  /** End of the last period in which the variant was invoked; undefined if it was not invoked between the two times. */
  lastInvokedAt(
    endpointName: string,
    variantName: string,
    between: { readonly from: Date; readonly to: Date },
  ): Promise<Date | undefined>;
}

/** CloudWatch returns at most 1,440 values: five-minute sums reach back five days, hourly ones two months. */
const FINE_SECONDS = 300;
const COARSE_SECONDS = 3600;
const FINE_REACH_MS = 1_400 * FINE_SECONDS * 1_000;
const COARSE_REACH_MS = 1_400 * COARSE_SECONDS * 1_000;

let client: CloudWatchClient | undefined;

/** CloudWatch of the account and region that the environment names; the client is built on first use. */
export function invocationMetrics(): InvocationMetrics {
  return {
    async lastInvokedAt(endpointName, variantName, { from, to }) {
      client ??= new CloudWatchClient();
      const reachMs = to.getTime() - from.getTime();
      const Period = reachMs > FINE_REACH_MS ? COARSE_SECONDS : FINE_SECONDS;
      const answer = await withErrorNames(
        client.send(
          new GetMetricStatisticsCommand({
            Namespace: 'AWS/SageMaker',
            MetricName: 'Invocations',
            Dimensions: [
              { Name: 'EndpointName', Value: endpointName },
              { Name: 'VariantName', Value: variantName },
            ],
            StartTime: new Date(Math.max(from.getTime(), to.getTime() - COARSE_REACH_MS)),
            EndTime: to,
            Period,
            Statistics: ['Sum'],
          }),
        ),
      );
      const starts = (answer.Datapoints ?? []).flatMap(({ Timestamp, Sum = 0 }) =>
        Timestamp !== undefined && Sum > 0 ? [Timestamp.getTime()] : [],
      );
      if (starts.length === 0) return undefined;
      return new Date(Math.min(to.getTime(), Math.max(...starts) + Period * 1_000));
    },
  };
}
