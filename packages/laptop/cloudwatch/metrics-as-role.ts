import type { RoleSessions } from '../kernel/permission.ts';
import type { MetricWriter } from '../kernel/ports.ts';

/** Metrics that are written with the rights of a role: without them nothing is written and nothing fails. */
export function metricsAsRole(
  metrics: MetricWriter,
  refusalOf: RoleSessions['refusal'],
  role: string,
  sessionName: string,
): MetricWriter {
  return {
    put(namespace, dimensions, values) {
      const asked = {
        action: 'cloudwatch:PutMetricData',
        resource: '*',
        context: { 'cloudwatch:namespace': namespace },
      };
      if (refusalOf(role, sessionName, [asked]) === null) metrics.put(namespace, dimensions, values);
    },
  };
}
