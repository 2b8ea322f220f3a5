import { toEmbeddedMetrics } from '../../src/aws/runtime/embedded-metrics.ts';
import type { Measurement } from '../../src/run/measurement.ts';
import { readEnv } from './env.ts';

/** Writes a measurement past the console, which would wrap the line and hide it from CloudWatch. */
export function putMetrics(measurement: Measurement): void {
  const { METRICS_NAMESPACE } = readEnv('METRICS_NAMESPACE');
  process.stdout.write(`${toEmbeddedMetrics(METRICS_NAMESPACE, new Date(), measurement)}\n`);
}

/** Writes the metrics of an invocation that succeeded; `measure` gives undefined if there is nothing to count. */
export function counted<I, O, S>(
  measure: (input: I, output: O, services: S) => Promise<Measurement | undefined>,
): (input: I, output: O, services: S) => Promise<void> {
  return async (input, output, services) => {
    const measured = await measure(input, output, services);
    if (measured) putMetrics(measured);
  };
}
