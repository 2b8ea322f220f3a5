import { join } from 'node:path';
import { AwsError, validationException } from '../kernel/aws-error.ts';
import type { ServiceBase, Site } from '../kernel/service.ts';
import { type EventMatcher, parseEventPattern } from '../pattern/event-pattern.ts';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { type ReadyTarget, readyTarget } from './ready-target.ts';
import { Rule, type Target } from './rule.ts';

/** Limit of a pattern, by EventBridge's quotas. */
const MAX_PATTERN_BYTES = 2048;

/** A rule with its pattern, schedule and templates read. */
export interface ReadyRule {
  readonly rule: Rule;
  readonly arn: string;
  readonly matches: EventMatcher | undefined;
  readonly targets: readonly ReadyTarget[];
}

/** Dependencies of the store next to its folder. */
interface RuleStoreOptions extends ServiceBase {
  /** Called when a schedule is due. */
  readonly fire: (rule: ReadyRule) => void;
}

/** The rules of the default bus, kept in `dir`. */
export class RuleStore {
  readonly #options: RuleStoreOptions;
  readonly #documents: Documents<Rule>;
  readonly #ready = new Map<string, ReadyRule>();
  readonly #cancels = new Map<string, () => void>();
  #started = false;

  constructor(options: RuleStoreOptions) {
    this.#options = options;
    this.#documents = openDocuments(join(options.dir, 'rules.json'), Rule);
    for (const rule of this.#documents.values()) this.#ready.set(rule.name, readyRule(rule, options.site));
  }

  rules(): ReadyRule[] {
    return [...this.#ready.values()].sort((a, b) => (a.rule.name < b.rule.name ? -1 : 1));
  }

  /** @throws {AwsError} `ResourceNotFoundException` */
  rule(name: string): ReadyRule {
    const found = this.#ready.get(name);
    if (found) return found;
    throw new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus default.`);
  }

  /** @throws {AwsError} `InvalidEventPatternException`, `ValidationException` */
  put(rule: Omit<Rule, 'targets'>): ReadyRule {
    const made = this.#keep({ ...rule, targets: this.#documents.get(rule.name)?.targets ?? [] });
    this.#arm(rule.name);
    return made;
  }

  /** @throws {AwsError} `ValidationException` if the rule would have more than 5 targets, or one cannot be understood */
  setTargets(name: string, targets: readonly Target[]): void {
    const ids = targets.map(({ Id }) => Id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    if (twice !== undefined)
      throw validationException(
        `Parameter targets is not valid. Reason: More than one target with Id '${twice}' is provided.`,
      );
    if (targets.length > 5)
      throw new AwsError(
        'LimitExceededException',
        `A rule has at most 5 targets, ${name} would have ${targets.length}.`,
      );
    this.#keep({ ...this.rule(name).rule, targets: [...targets] });
  }

  delete(name: string): void {
    this.#documents.delete(name);
    this.#ready.delete(name);
    this.#arm(name);
  }

  /** From now on schedules fire. */
  start(): void {
    this.#started = true;
    for (const name of this.#ready.keys()) this.#arm(name);
  }

  close(): void {
    this.#started = false;
    for (const name of [...this.#cancels.keys()]) this.#arm(name);
  }

  #keep(rule: Rule): ReadyRule {
    const made = readyRule(rule, this.#options.site);
    this.#documents.set(rule.name, rule);
    this.#ready.set(rule.name, made);
    return made;
  }

  /** Waits for the rule's next time after `afterMs`. */
  #arm(name: string, afterMs = this.#options.clock.now()): void {
    const { clock, fire } = this.#options;
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
    const each = this.#ready.get(name);
    if (!this.#started || !each?.rule.enabled || each.rule.scheduleExpression === undefined) return;
    const dueMs = afterMs + readRate(each.rule.scheduleExpression);
    const due = (): void => {
      this.#arm(name, dueMs); // Not from now: a timer may fire a moment late, and the rate would drift.
      const current = this.#ready.get(name);
      if (current) fire(current);
    };
    this.#cancels.set(name, clock.after(dueMs - clock.now(), due));
  }
}

/** The ARN of a rule on the default bus. */
function ruleArn(site: Site, name: string): string {
  return `arn:${site.partition}:events:${site.region}:${site.account}:rule/${name}`;
}

function readyRule(rule: Rule, site: Site): ReadyRule {
  if (rule.scheduleExpression !== undefined) readRate(rule.scheduleExpression);
  if (Buffer.byteLength(rule.eventPattern ?? '') > MAX_PATTERN_BYTES)
    throw validationException(
      `Parameter EventPattern for rule ${rule.name} exceeds limit of ${MAX_PATTERN_BYTES}.`,
    );
  return {
    rule,
    arn: ruleArn(site, rule.name),
    matches: rule.eventPattern === undefined ? undefined : parsePattern(rule.eventPattern),
    targets: rule.targets.map(readyTarget),
  };
}

/** @throws {AwsError} `InvalidEventPatternException` */
export function parsePattern(text: string): EventMatcher {
  try {
    return parseEventPattern(JSON.parse(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AwsError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${reason}`);
  }
}

function readRate(expression: string): number {
  try {
    return parseRate(expression);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw validationException(`Parameter ScheduleExpression is not valid. ${reason}`);
  }
}

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/**
 * Reads a rate, such as `rate(5 minutes)`, as milliseconds.
 *
 * @throws {Error} saying what is wrong with it
 */
function parseRate(expression: string): number {
  const [, count = '', unit, plural] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  if (!isUnit(unit))
    throw new Error(`${expression}: this stack has schedules like rate(5 minutes); cron(…) is not emulated`);
  const number = Number(count);
  if (number < 1 || (number === 1) === (plural === 's'))
    throw new Error(
      `${expression}: rate is 1 of a singular unit or more of a plural one, as rate(1 hour), rate(5 minutes)`,
    );
  return number * UNIT_MS[unit];
}

function isUnit(unit: string | undefined): unit is keyof typeof UNIT_MS {
  return unit !== undefined && Object.hasOwn(UNIT_MS, unit);
}
