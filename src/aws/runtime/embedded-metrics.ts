import { type Measurement, METRICS } from '../../run/measurement.ts';

/**
 * The log line from which CloudWatch takes metrics without a call: its embedded metric format
 * (https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html).
 */
export function toEmbeddedMetrics(namespace: string, at: Date, { facts, groups }: Measurement): string {
  const units: Readonly<Record<string, string>> = METRICS;
  const measured = groups.map(({ by, values }) => ({
    by,
    values: Object.entries(values).filter(([, value]) => value !== null),
  }));
  return JSON.stringify({
    _aws: {
      Timestamp: at.getTime(),
      CloudWatchMetrics: measured
        .filter(({ values }) => values.length > 0)
        .map(({ by, values }) => ({
          Namespace: namespace,
          Dimensions: by,
          Metrics: values.map(([Name]) => ({ Name, Unit: units[Name] })),
        })),
    },
    ...facts,
    ...Object.fromEntries(measured.flatMap(({ values }) => values)),
  });
}
