import { join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase, Site } from '../kernel/service.ts';
import { type EventMatcher, parseEventPattern } from '../pattern/event-pattern.ts';
import { openDocuments } from '../storage/document-file.ts';
import { type ReadyTarget, readyTarget } from './ready-target.ts';
import { Rule, type Target } from './rule.ts';
import { parseScheduleExpression, type Schedule } from './schedule-expression.ts';

/** By EventBridge's quotas. */
const MAX_PATTERN_BYTES = 2048;

/** A rule with its pattern, schedule and templates read. */
export interface ReadyRule {
  readonly rule: Rule;
  readonly arn: string;
  readonly matches: EventMatcher | undefined;
  readonly targets: readonly ReadyTarget[];
}

/** The rules of the default bus. */
export interface RuleStore {
  rules(): ReadyRule[];
  /** @throws {AwsError} `ResourceNotFoundException` */
  rule(name: string): ReadyRule;
  /** @throws {AwsError} `InvalidEventPatternException`, `ValidationException` */
  put(rule: Omit<Rule, 'targets'>): ReadyRule;
  /** @throws {AwsError} `ValidationException` if the rule would have more than 5 targets, or one cannot be understood */
  setTargets(name: string, targets: readonly Target[]): void;
  delete(name: string): void;
  /** From now on schedules fire. */
  start(): void;
  close(): void;
}

/** Opens the rules kept in `dir`; `fire` is called when a schedule is due. */
export function openRuleStore({
  dir,
  site,
  clock,
  fire,
}: ServiceBase & {
  readonly fire: (rule: ReadyRule) => void;
}): RuleStore {
  const documents = openDocuments(join(dir, 'rules.json'), Rule);
  const ready = new Map<string, ReadyRule>();
  const cancels = new Map<string, () => void>();
  let started = false;

  const arm = (name: string, afterMs = clock.now()): void => {
    cancels.get(name)?.();
    cancels.delete(name);
    const each = ready.get(name);
    if (!started || !each?.rule.enabled || each.rule.scheduleExpression === undefined) return;
    const dueMs = parseSchedule(each.rule.scheduleExpression)(afterMs);
    if (dueMs === undefined) return;
    const due = (): void => {
      arm(name, dueMs); // Not from now: a timer may fire a moment early, and the same minute would come again.
      const current = ready.get(name);
      if (current) fire(current);
    };
    cancels.set(name, clock.after(dueMs - clock.now(), due));
  };
  const find = (name: string): ReadyRule => {
    const found = ready.get(name);
    if (found) return found;
    throw new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus default.`);
  };
  const keep = (rule: Rule): ReadyRule => {
    const made = readyRule(rule, site);
    documents.set(rule.name, rule);
    ready.set(rule.name, made);
    return made;
  };
  for (const rule of documents.values()) ready.set(rule.name, readyRule(rule, site));

  return {
    rules: () => [...ready.values()].sort((a, b) => (a.rule.name < b.rule.name ? -1 : 1)),
    rule: find,
    put: (rule) => {
      const made = keep({ ...rule, targets: documents.get(rule.name)?.targets ?? [] });
      arm(rule.name);
      return made;
    },
    setTargets: (name, targets) => {
      const ids = targets.map(({ Id }) => Id);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      if (twice !== undefined)
        throw new AwsError(
          'ValidationException',
          `Parameter targets is not valid. Reason: More than one target with Id '${twice}' is provided.`,
        );
      if (targets.length > 5) {
        throw new AwsError(
          'LimitExceededException',
          `A rule has at most 5 targets, ${name} would have ${targets.length}.`,
        );
      }
      keep({ ...find(name).rule, targets: [...targets] });
    },
    delete: (name) => {
      documents.delete(name);
      ready.delete(name);
      arm(name);
    },
    start: () => {
      started = true;
      for (const name of ready.keys()) arm(name);
    },
    close: () => {
      started = false;
      for (const name of [...cancels.keys()]) arm(name);
    },
  };
}

/** The ARN of a rule on the default bus. */
function ruleArn(site: Site, name: string): string {
  return `arn:${site.partition}:events:${site.region}:${site.account}:rule/${name}`;
}

function readyRule(rule: Rule, site: Site): ReadyRule {
  if (rule.scheduleExpression !== undefined) parseSchedule(rule.scheduleExpression);
  if (Buffer.byteLength(rule.eventPattern ?? '') > MAX_PATTERN_BYTES)
    throw new AwsError(
      'ValidationException',
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

function parseSchedule(expression: string): Schedule {
  try {
    return parseScheduleExpression(expression);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AwsError('ValidationException', `Parameter ScheduleExpression is not valid. ${reason}`);
  }
}
