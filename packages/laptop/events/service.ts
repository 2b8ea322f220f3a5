import { randomUUID } from 'node:crypto';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { jsonService } from '../kernel/json-service.ts';
import { everyServiceAllowed, type ServiceAccess } from '../kernel/permission.ts';
import type { BusEvent, EventBus } from '../kernel/ports.ts';
import type { Service, ServiceBase } from '../kernel/service.ts';
import { deleteRule } from './actions/delete-rule.ts';
import { describeRule } from './actions/describe-rule.ts';
import { listRuleNamesByTarget } from './actions/list-rule-names-by-target.ts';
import { listRules } from './actions/list-rules.ts';
import { listTargetsByRule } from './actions/list-targets-by-rule.ts';
import { putEvents } from './actions/put-events.ts';
import { putRule } from './actions/put-rule.ts';
import { putTargets } from './actions/put-targets.ts';
import { removeTargets } from './actions/remove-targets.ts';
import { switchRule } from './actions/switch-rule.ts';
import { testEventPattern } from './actions/test-event-pattern.ts';
import type { Targets } from './dispatcher.ts';
import type { EventEnvelope } from './input-transformer.ts';
import { openOutbox } from './outbox.ts';
import { eventResources } from './resources.ts';
import { openRuleStore, type ReadyRule } from './rule-store.ts';
import { createDelivery } from './target-delivery.ts';

/** EventBridge: the default bus, its rules and schedules. */
export interface Events {
  readonly service: Service;
  readonly bus: EventBus;
  readonly resources: ResourceTypes;
  /** From now on schedules fire, and what an earlier process left is delivered; call it when the gateway listens. */
  start(): void;
}

/** Opens the rules kept in `dir`. */
export function createEvents({
  dir,
  site,
  clock,
  targets,
  access = everyServiceAllowed,
  random = Math.random,
  newId = randomUUID,
  report = (line) => void process.stderr.write(`events: ${line}\n`),
}: ServiceBase & {
  readonly targets: Targets;
  /** The services that may act as a rule's role; by default every role trusts them. */
  readonly access?: ServiceAccess;
  readonly random?: () => number;
  readonly newId?: () => string;
  /** Called with each event that is given up without a dead-letter queue. */
  readonly report?: (line: string) => void;
}): Events {
  const delivery = createDelivery({ clock, targets, access, random, report });
  const toEnvelope = (event: BusEvent, id: string): EventEnvelope => ({
    version: '0',
    id,
    'detail-type': event['detail-type'],
    source: event.source,
    account: site.account,
    time: `${new Date(event.timeMs ?? clock.now()).toISOString().slice(0, 19)}Z`,
    region: site.region,
    resources: event.resources ?? [],
    detail: event.detail,
  });
  const store = openRuleStore({
    dir,
    site,
    clock,
    fire: (rule) => {
      const tick = {
        source: 'aws.events',
        'detail-type': 'Scheduled Event',
        detail: {},
        resources: [rule.arn],
      };
      const envelope = toEnvelope(tick, newId());
      post(rule, envelope);
    },
  });
  const outbox = openOutbox(dir, async ({ rule: name, target: id, event }) => {
    const rule = store.rules().find(({ rule: { name: other } }) => other === name);
    const target = rule?.targets.find(({ target: { Id } }) => Id === id);
    // Rule and target may have been removed since: then there is nowhere to bring it.
    return rule === undefined || target === undefined || delivery.deliver(rule, target, event);
  });
  const post = ({ rule, targets: to }: ReadyRule, event: EventEnvelope): void => {
    for (const { target } of to) outbox.post({ rule: rule.name, target: target.Id, event });
  };
  const put = (event: BusEvent, id: string = newId()): Promise<void> => {
    const envelope = toEnvelope(event, id);
    for (const rule of store.rules()) if (rule.rule.enabled && rule.matches?.(envelope)) post(rule, envelope);
    return outbox.written();
  };
  const service = jsonService({
    name: 'events',
    target: 'AWSEvents',
    version: '1.1',
    actions: [
      putEvents({ put }),
      putRule(store),
      describeRule(store),
      listRules(store),
      listRuleNamesByTarget(store),
      switchRule(store, true),
      switchRule(store, false),
      deleteRule(store),
      putTargets(store),
      removeTargets(store),
      listTargetsByRule(store),
      testEventPattern(),
    ],
    close: () => {
      store.close();
      delivery.close();
      outbox.close();
    },
  });
  const start = (): void => {
    store.start();
    outbox.start();
  };
  return { service, bus: { put }, resources: eventResources(store), start };
}
