import { jsonService } from '../kernel/json-service.ts';
import type { LogWriter, MetricWriter } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { eventActions } from './actions/events.ts';
import { groupActions } from './actions/groups.ts';
import { embeddedMetrics } from './embedded-metrics.ts';
import { LogStore } from './log-store.ts';
import { logResources } from './resources.ts';

/**
 * CloudWatch Logs: the services of the stack write, clients read. Opens the logs kept in `dir`; metrics that lines embed go
 * to `metrics`.
 */
export function createLogs(deps: ServiceBase & { readonly metrics: MetricWriter }) {
  const store = new LogStore(deps);
  const service = jsonService({
    name: 'logs',
    target: 'Logs_20140328',
    version: '1.1',
    validationCode: 'InvalidParameterException',
    actions: [...groupActions(store, deps.site), ...eventActions(store, deps.site)],
    close: () => store.close(),
  });
  const logs: LogWriter = {
    write(group, stream, message) {
      store.write(group, stream, message);
      for (const { namespace, dimensions, values } of embeddedMetrics(message))
        deps.metrics.put(namespace, dimensions, values);
    },
  };
  return { service, logs, resources: logResources(store, deps.site) };
}
