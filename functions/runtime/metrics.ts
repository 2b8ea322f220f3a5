import { toEmbeddedMetrics } from '../../src/aws/runtime/embedded-metrics.ts';
import type { Measurement } from '../../src/run/measurement.ts';
import { readEnv } from './env.ts';

/** Writes a measurement past the console, which would wrap the line and hide it from CloudWatch. */
export function putMetrics(measurement: Measurement): void {
  const { METRICS_NAMESPACE } = readEnv('METRICS_NAMESPACE');
  process.stdout.write(`${toEmbeddedMetrics(METRICS_NAMESPACE, new Date(), measurement)}\n`);
}
