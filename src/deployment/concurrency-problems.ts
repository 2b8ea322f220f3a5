import { LimitSettings } from '../pipeline/limit-settings.ts';
import { type DeclaredParameters, optionName } from './declared-parameter.ts';

/** Caps on functions that run at once in an account and region, as Lambda's GetAccountSettings shows them. */
export interface AccountConcurrency {
  readonly total: number;
  readonly unreserved: number;
}

/** Concurrency that Lambda keeps unreserved, if the account has as much ("Configuring reserved concurrency for a function"). */
const MIN_UNRESERVED = 100;

/** Functions that reserve ServeConcurrency each: predict and serve-model, in infra/api/functions.yml. */
const SERVING_FUNCTIONS = 2;

/** Parameters that are judged here. */
const JUDGED = ['ServeConcurrency', 'PredictConcurrency', 'ReserveConcurrency'] as const;

/** Runs of a pipeline at once, unless it says otherwise. */
const RUNS_AT_ONCE = LimitSettings.parse({}).maxConcurrentRuns;

/** Whether a deployment changes what the account's concurrency bounds. */
export function changesConcurrency(
  values: ReadonlyMap<string, string>,
  deployed: ReadonlyMap<string, string>,
  declared: DeclaredParameters,
): boolean {
  return JUDGED.some((name) => values.get(name) !== (deployed.get(name) ?? declared[name]?.Default));
}

/**
 * Problems of functions at once that the account cannot run: CloudFormation would find a reservation in the middle of a deployment,
 * and nothing would find the functions of runs, which Lambda would throttle.
 *
 * @param values the parameters to deploy
 * @param deployed the stack's parameters; their reservations are counted already; empty for a new stack
 */
export function concurrencyProblems(
  values: ReadonlyMap<string, string>,
  deployed: ReadonlyMap<string, string>,
  { total, unreserved }: AccountConcurrency,
): string[] {
  const [serve, predict, reserve] = JUDGED;
  const kept = Math.min(MIN_UNRESERVED, total);
  const free = unreserved + reservedBy(deployed);
  const most = Math.max(0, Math.floor((free - kept) / SERVING_FUNCTIONS));
  const asked = numberOf(values, serve);
  const account = `the account has ${total} concurrent executions, ${free} of them not reserved by other functions`;
  const ask = (needed: number): string =>
    `lower it, or ask for at least ${Math.max(needed, MIN_UNRESERVED)} "Concurrent executions" of AWS Lambda in Service Quotas`;
  if (asked > most)
    return [
      `${optionName(serve)} must be at most ${most}, is ${asked}: ${SERVING_FUNCTIONS} functions would reserve as ` +
        `many each, ${account}, and Lambda keeps ${kept} unreserved; ` +
        `${ask(total - free + SERVING_FUNCTIONS * asked + MIN_UNRESERVED)}`,
    ];
  const left = free - SERVING_FUNCTIONS * asked;
  const shards = numberOf(values, predict);
  const reserving = asked === 0 ? '' : `, ${SERVING_FUNCTIONS * asked} of which ${optionName(serve)} takes`;
  if (isReserved(values) && shards > left - kept)
    return [
      `${optionName(reserve)} must be no, or ${optionName(predict)} at most ${Math.max(0, left - kept)}, is ${shards}: ` +
        `${account}${reserving}, and Lambda keeps ${kept} unreserved; ${ask(total - left + shards + MIN_UNRESERVED)}`,
    ];
  if (shards <= left) return [];
  return [
    `${optionName(predict)} must be at most ${left}, is ${shards}: ${account}${reserving}; ${ask(total - left + shards)}`,
  ];
}

/**
 * Proposes a reservation if the usual number of runs at once could take all functions of the account, in which case
 * Lambda refuses the functions of everybody else, and if the account has enough to reserve.
 *
 * @param values the parameters as they are, or will be, deployed
 * @param deployed the parameters of the stack, with the reservations that `unreserved` leaves out
 */
export function reservationAdvice(
  values: ReadonlyMap<string, string>,
  deployed: ReadonlyMap<string, string>,
  { total, unreserved }: AccountConcurrency,
): string | undefined {
  const [serve, predict, reserve] = JUDGED;
  const left = unreserved + reservedBy(deployed) - SERVING_FUNCTIONS * numberOf(values, serve);
  const shards = numberOf(values, predict);
  const runs = Math.ceil(left / shards);
  if (isReserved(values) || runs > RUNS_AT_ONCE || left - shards < MIN_UNRESERVED) return undefined;
  return (
    `${optionName(predict)} bounds each run: ${runs} runs at once may take all ${left} of the account's ${total} ` +
    `functions that are not reserved. To bound all runs together, add --param ${optionName(reserve)}=yes`
  );
}

function reservedBy(values: ReadonlyMap<string, string>): number {
  const [serve, predict] = JUDGED;
  return SERVING_FUNCTIONS * numberOf(values, serve) + (isReserved(values) ? numberOf(values, predict) : 0);
}

function isReserved(values: ReadonlyMap<string, string>): boolean {
  return values.get('ReserveConcurrency') === 'yes';
}

function numberOf(values: ReadonlyMap<string, string>, name: string): number {
  return Number(values.get(name) ?? 0);
}
