import { randomUUID } from 'node:crypto';
import { jsonService } from '../kernel/json-service.ts';
import { everyServiceAllowed, type ServiceAccess } from '../kernel/permission.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { putEvents } from './actions/put-events.ts';
import { ruleActions } from './actions/rules.ts';
import { DefaultBus } from './default-bus.ts';
import type { Targets } from './dispatcher.ts';
import { eventResources } from './resources.ts';

/** EventBridge: the default bus, its rules and schedules. */
export type Events = ReturnType<typeof createEvents>;

/** Opens the rules kept in `dir`. */
export function createEvents(
  options: ServiceBase & {
    readonly targets: Targets;
    /** The services that may act as a rule's role; by default every role trusts them. */
    readonly access?: ServiceAccess;
    readonly random?: () => number;
    readonly newId?: () => string;
    /** Called with each event that is given up without a dead-letter queue. */
    readonly report?: (line: string) => void;
  },
) {
  const bus = new DefaultBus({
    access: everyServiceAllowed,
    random: Math.random,
    newId: randomUUID,
    report: (line) => void process.stderr.write(`events: ${line}\n`),
    ...options,
  });
  const store = bus.rules;
  const service = jsonService({
    name: 'events',
    target: 'AWSEvents',
    version: '1.1',
    actions: [putEvents(bus), ...ruleActions(store)],
    close: () => bus.close(),
  });
  return {
    service,
    bus,
    resources: eventResources(store),
    /** From now on schedules fire, and what an earlier process left is delivered; call it when the gateway listens. */
    start: () => bus.start(),
  };
}
