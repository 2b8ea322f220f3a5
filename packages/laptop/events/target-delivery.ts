import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ServiceAccess, ServiceCaller } from '../kernel/permission.ts';
import type { Deliverer, Targets } from './dispatcher.ts';
import type { EventEnvelope } from './outbox.ts';
import type { ReadyTarget } from './ready-target.ts';
import type { Target } from './rule.ts';
import type { ReadyRule } from './rule-store.ts';

/** Dependencies of deliveries. */
export interface DeliveryOptions {
  readonly clock: Clock;
  readonly targets: Targets;
  /** The principals that may act as a target's role. */
  readonly access: ServiceAccess;
  /** 0 ≤ x < 1, for the jitter between attempts. */
  readonly random: () => number;
  /** Called with each event that is given up without a dead-letter queue. */
  readonly report: (line: string) => void;
}

/** Sends events to targets, with the retries and dead letters of the target's configuration. */
export class TargetDelivery {
  readonly #options: DeliveryOptions;
  readonly #stop = new AbortController();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Resolves with true once the event is delivered or given up, and with false if the stack stops first. */
  async deliver(rule: ReadyRule, ready: ReadyTarget, event: EventEnvelope): Promise<boolean> {
    const { clock, targets, random } = this.#options;
    const { signal } = this.#stop;
    const startMs = clock.now();
    const context = {
      ruleArn: rule.arn,
      ruleName: rule.rule.name,
      ingestionTime: new Date(startMs).toISOString(),
    };
    for (let attempts = 0; !signal.aborted; attempts++) {
      try {
        const input = ready.toInput(event, context);
        await targets.deliver(ready.target.Arn, input, this.#delivererOf(rule, ready));
        return true;
      } catch (error) {
        const code = codeOf(error);
        const message = error instanceof Error ? error.message : String(error);
        const failed = { code, attempts, ageMs: clock.now() - startMs, jitter: random() };
        const next = afterFailure(failed, ready.target.RetryPolicy);
        if ('givenUp' in next) {
          await this.#giveUp(rule, ready, event, { code, message, attempts, condition: next.givenUp });
          return true;
        }
        await clock.sleep(next.delayMs, signal).catch(() => undefined);
      }
    }
    return false;
  }

  /** No further attempts. */
  close(): void {
    this.#stop.abort();
  }

  /** @throws {AwsError} `FailedToAssumeRole` */
  #delivererOf(rule: ReadyRule, { target: { RoleArn } }: ReadyTarget): Deliverer {
    if (RoleArn === undefined) return byItself(rule);
    if (this.#options.access.mayAssume(byItself(rule), RoleArn))
      return { roleArn: RoleArn, sessionName: rule.rule.name };
    throw new AwsError('FailedToAssumeRole', `${RoleArn} does not trust ${SERVICE} for ${rule.arn}`);
  }

  async #giveUp(rule: ReadyRule, { target }: ReadyTarget, event: EventEnvelope, end: Ending): Promise<void> {
    const { targets, report } = this.#options;
    const { code, message, attempts, condition } = end;
    const what =
      `rule ${rule.rule.name}, target ${target.Id} (${target.Arn}): event ${event.id} given up after ${attempts} ` +
      `retries: ${code}: ${message}`;
    const queueArn = target.DeadLetterConfig?.Arn;
    if (queueArn === undefined) return report(`${what}; the target has no dead-letter queue`);
    try {
      await targets.deliver(queueArn, JSON.stringify(event), byItself(rule), {
        attributes: {
          RULE_ARN: rule.arn,
          TARGET_ARN: target.Arn,
          ERROR_CODE: code,
          ERROR_MESSAGE: message,
          EXHAUSTED_RETRY_CONDITION: condition,
          RETRY_ATTEMPTS: String(attempts),
        },
      });
    } catch (error) {
      report(`${what}; its dead-letter queue ${queueArn} did not take it: ${String(error)}`);
    }
  }
}

const SERVICE = 'events.amazonaws.com';

/** Without a role, a rule relies on the target's own policy. */
function byItself({ arn }: ReadyRule): ServiceCaller {
  return { service: SERVICE, sourceArn: arn };
}

interface Ending {
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
  readonly condition: GivenUp;
}

/** Codes of errors in dead letters, by the target's own code: EventBridge has names of its own. */
const ERROR_CODES: Readonly<Record<string, string>> = {
  AccessDenied: 'NO_PERMISSIONS',
  FailedToAssumeRole: 'FAILED_TO_ASSUME_ROLE',
  QueueDoesNotExist: 'NO_RESOURCE',
  ResourceNotFoundException: 'NO_RESOURCE',
  NotFound: 'NO_RESOURCE',
  StateMachineDoesNotExist: 'NO_RESOURCE',
  InvalidParameterValue: 'INVALID_PARAMETER',
  ValidationException: 'INVALID_PARAMETER',
  InvalidExecutionInput: 'INVALID_JSON',
};

/** Permanent errors: another attempt would not help. */
const NOT_RETRIED: ReadonlySet<string> = new Set(Object.values(ERROR_CODES));

type RetryPolicy = NonNullable<Target['RetryPolicy']>;

const DEFAULT_POLICY: RetryPolicy = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 };
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 600_000;

/** Why an event is given up, in the words of a dead letter. */
type GivenUp = 'NotRetryable' | 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds';

/**
 * Next step after a failed delivery: a wait before the next attempt, or the end.
 *
 * @param failed.attempts earlier ones
 * @param failed.ageMs since the first attempt
 * @param failed.jitter 0 ≤ x < 1
 */
export function afterFailure(
  failed: {
    readonly code: string;
    readonly attempts: number;
    readonly ageMs: number;
    readonly jitter: number;
  },
  { MaximumRetryAttempts, MaximumEventAgeInSeconds }: RetryPolicy = DEFAULT_POLICY,
): { readonly delayMs: number } | { readonly givenUp: GivenUp } {
  const { code, attempts, ageMs, jitter } = failed;
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempts) * (0.5 + jitter / 2);
  if (NOT_RETRIED.has(code)) return { givenUp: 'NotRetryable' };
  if (attempts >= MaximumRetryAttempts) return { givenUp: 'MaximumRetryAttempts' };
  if (ageMs + delayMs > MaximumEventAgeInSeconds * 1000) return { givenUp: 'MaximumEventAgeInSeconds' };
  return { delayMs };
}

/** The code of an error as a dead letter has it. */
function codeOf(error: unknown): string {
  if (!(error instanceof AwsError)) return 'INTERNAL_ERROR';
  return ERROR_CODES[error.code] ?? 'ERROR_FROM_TARGET';
}
