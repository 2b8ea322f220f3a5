import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { jsonService } from '../kernel/json-service.ts';
import type { LogWriter, MetricWriter } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { describeLogGroups } from './actions/describe-log-groups.ts';
import { describeLogStreams } from './actions/describe-log-streams.ts';
import { filterLogEvents } from './actions/filter-log-events.ts';
import { getLogEvents } from './actions/get-log-events.ts';
import { embeddedMetrics } from './embedded-metrics.ts';
import { LogStore } from './log-store.ts';
import { logResources } from './resources.ts';

/** CloudWatch Logs: the services of the stack write, clients read. */
export interface Logs {
  readonly service: Service;
  readonly logs: LogWriter;
  readonly resources: ResourceTypes;
}

/** Opens the logs kept in `dir`; metrics that lines embed go to `metrics`. */
export function createLogs(deps: ServiceBase & { readonly metrics: MetricWriter }): Logs {
  const store = new LogStore(deps);
  const service = jsonService({
    name: 'logs',
    target: 'Logs_20140328',
    version: '1.1',
    validationCode: 'InvalidParameterException',
    actions: [
      describeLogGroups(store, deps.site),
      describeLogStreams(store, deps.site),
      getLogEvents(store, deps.site),
      filterLogEvents(store, deps.site),
    ],
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
