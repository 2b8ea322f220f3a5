import { randomUUID } from 'node:crypto';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { jsonService } from '../kernel/json-service.ts';
import { everyServiceAllowed, type ServiceAccess } from '../kernel/permission.ts';
import type { EventBus } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { deleteRule } from './actions/delete-rule.ts';
import { describeRule } from './actions/describe-rule.ts';
import { listRules } from './actions/list-rules.ts';
import { listTargetsByRule } from './actions/list-targets-by-rule.ts';
import { putEvents } from './actions/put-events.ts';
import { putRule } from './actions/put-rule.ts';
import { putTargets } from './actions/put-targets.ts';
import { removeTargets } from './actions/remove-targets.ts';
import { DefaultBus } from './default-bus.ts';
import type { Targets } from './dispatcher.ts';
import { eventResources } from './resources.ts';

/** EventBridge: the default bus, its rules and schedules. */
export interface Events {
  readonly service: Service;
  readonly bus: EventBus;
  readonly resources: ResourceTypes;
  /** From now on schedules fire, and what an earlier process left is delivered; call it when the gateway listens. */
  start(): void;
}

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
): Events {
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
    actions: [
      putEvents(bus),
      putRule(store),
      describeRule(store),
      listRules(store),
      deleteRule(store),
      putTargets(store),
      removeTargets(store),
      listTargetsByRule(store),
    ],
    close: () => bus.close(),
  });
  return { service, bus, resources: eventResources(store), start: () => bus.start() };
}
