import type { BusEvent, EventBus } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { type EventEnvelope, openOutbox, type Outbox, type Posted } from './outbox.ts';
import { type ReadyRule, RuleStore } from './rule-store.ts';
import { type DeliveryOptions, TargetDelivery } from './target-delivery.ts';

interface BusOptions extends ServiceBase, DeliveryOptions {
  readonly newId: () => string;
}

/** The default bus: brings each event to the targets of the rules that match it, and of schedules that are due. */
export class DefaultBus implements EventBus {
  readonly rules: RuleStore;
  readonly #options: BusOptions;
  readonly #delivery: TargetDelivery;
  readonly #outbox: Outbox;

  constructor(options: BusOptions) {
    this.#options = options;
    this.#delivery = new TargetDelivery(options);
    this.rules = new RuleStore({ ...options, fire: (rule) => this.#fire(rule) });
    this.#outbox = openOutbox(options.dir, (posted) => this.#deliver(posted));
  }

  /** Resolves when the event is on disk. */
  put(event: BusEvent, id = this.#options.newId()): Promise<void> {
    const envelope = this.#toEnvelope(event, id);
    for (const rule of this.rules.rules())
      if (rule.rule.enabled && rule.matches?.(envelope)) this.#post(rule, envelope);
    return this.#outbox.written();
  }

  /** From now on schedules fire; what an earlier process left is delivered. */
  start(): void {
    this.rules.start();
    this.#outbox.start();
  }

  close(): void {
    this.rules.close();
    this.#delivery.close();
    this.#outbox.close();
  }

  #fire(rule: ReadyRule): void {
    const tick = {
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      detail: {},
      resources: [rule.arn],
    };
    this.#post(rule, this.#toEnvelope(tick, this.#options.newId()));
  }

  #post({ rule, targets }: ReadyRule, event: EventEnvelope): void {
    for (const { target } of targets) this.#outbox.post({ rule: rule.name, target: target.Id, event });
  }

  async #deliver({ rule: name, target: id, event }: Posted): Promise<boolean> {
    const rule = this.rules.rules().find(({ rule: { name: other } }) => other === name);
    const target = rule?.targets.find(({ target: { Id } }) => Id === id);
    // Rule and target may have been removed since: then there is nowhere to bring it.
    return rule === undefined || target === undefined || this.#delivery.deliver(rule, target, event);
  }

  #toEnvelope(event: BusEvent, id: string): EventEnvelope {
    const { site, clock } = this.#options;
    return {
      version: '0',
      id,
      'detail-type': event['detail-type'],
      source: event.source,
      account: site.account,
      time: `${new Date(event.timeMs ?? clock.now()).toISOString().slice(0, 19)}Z`,
      region: site.region,
      resources: [...(event.resources ?? [])],
      detail: event.detail,
    };
  }
}
