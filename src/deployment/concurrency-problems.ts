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
const JUDGED = ['ServeConcurrency', 'PredictConcurrency'] as const;

/** Whether a deployment changes what the account's concurrency bounds. */
export function changesConcurrency(
  values: ReadonlyMap<string, string>,
  deployed: ReadonlyMap<string, string>,
  declared: DeclaredParameters,
): boolean {
  return JUDGED.some((name) => values.get(name) !== (deployed.get(name) ?? declared[name]?.Default));
}

/**
 * Problems of functions at once that the account cannot run: CloudFormation would find a reservation in the middle of a deployment, and
 * nothing the functions of runs, which Lambda would throttle.
 *
 * @param values the parameters to deploy
 * @param deployed those of the stack, whose reservations are counted already; empty for a new one
 */
export function concurrencyProblems(
  values: ReadonlyMap<string, string>,
  deployed: ReadonlyMap<string, string>,
  { total, unreserved }: AccountConcurrency,
): string[] {
  const [serve, predict] = JUDGED;
  const kept = Math.min(MIN_UNRESERVED, total);
  const free = unreserved + SERVING_FUNCTIONS * numberOf(deployed, serve);
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
  if (shards <= left) return [];
  const reserving = asked === 0 ? '' : `, ${SERVING_FUNCTIONS * asked} of which ${optionName(serve)} takes`;
  return [
    `${optionName(predict)} must be at most ${left}, is ${shards}: ${account}${reserving}; ${ask(total - left + shards)}`,
  ];
}

function numberOf(values: ReadonlyMap<string, string>, name: string): number {
  return Number(values.get(name) ?? 0);
}
