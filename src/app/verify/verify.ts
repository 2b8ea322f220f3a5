import { isCondition } from '../../problem/conditions.ts';
import { PROGRAM } from '../../report/program.ts';
import { decimal, dollars } from '../../text/figures.ts';
import type { Check, VerifyServices } from './check.ts';
import { failed, type Finding, notRun, onlyAws } from './finding.ts';
import { type CheckResult, mask, type Verification } from './verification.ts';

/** A check and its price. */
interface Priced {
  readonly name: string;
  /** Estimated price in US dollars; null if a check reads only, and always runs. */
  readonly usd: number | null;
}

/** Whether a check runs, and if not the `--spend` in US dollars that it would need. */
type SpendDecision = { readonly run: true } | { readonly run: false; readonly neededUsd: number };

interface VerifyOptions {
  readonly checks: readonly Check[];
  /** US dollars that the checks may cost together; undefined: only those that read. */
  readonly spendUsd: number | undefined;
  /** Stops the verification early; everything that it has created is still removed. */
  readonly signal: AbortSignal;
  /** Called as each check begins and finishes. */
  readonly watch: { begins(check: Check): void; ended(result: CheckResult): void };
}

/** Names of the things that were removed, and of those that could not be. */
export interface CleanUp {
  readonly removed: readonly string[];
  readonly left: readonly string[];
}

/**
 * Runs the checks one after the other, then, in any case, removes what they and earlier verifications have created.
 * Every text of the result is masked.
 */
export async function verify(
  { checks, spendUsd, signal, watch }: VerifyOptions,
  services: VerifyServices,
  cleanUp: () => Promise<CleanUp>,
): Promise<Verification> {
  const { stack, clock } = services;
  const priced = checks.map((check) => ({ check, name: check.name, usd: priceOf(check, stack.region) }));
  const decisions = planSpending(priced, spendUsd);
  const startedAt = clock();
  const results: CheckResult[] = [];
  let estimatedCents = 0;
  const before = await cleanUp();
  for (const { check, usd } of priced) {
    const decision = decisions.get(check.name);
    if (signal.aborted) break;
    const began = clock().getTime();
    watch.begins(check);
    if (decision?.run === true) estimatedCents += Math.round((usd ?? 0) * 100);
    const finding =
      decision?.run === false ? needsSpend(decision.neededUsd, spendUsd) : await run(check, services);
    if (finding === undefined) break;
    const result: CheckResult = {
      check: check.name,
      asked: check.asks,
      answered: mask(finding.answered),
      verdict: finding.verdict,
      means: mask(finding.means),
      estimatedUsd: usd,
      neededUsd: decision?.run === false ? decision.neededUsd : null,
      seconds: Math.round((clock().getTime() - began) / 100) / 10,
    };
    results.push(result);
    watch.ended(result);
  }
  // Checks that only read leave nothing behind.
  const after = spendUsd === undefined ? { removed: [], left: before.left } : await cleanUp();
  return {
    schema: 1,
    program: PROGRAM,
    stack: stack.name,
    place: stack.place,
    region: stack.region,
    startedAt: startedAt.toISOString(),
    endedAt: clock().toISOString(),
    spendUsd: spendUsd ?? null,
    estimatedUsd: estimatedCents / 100,
    interrupted: signal.aborted,
    checks: results,
    removed: [...before.removed, ...after.removed].map(mask),
    left: after.left.map(mask),
  };
}

/** Errors of a service for an unknown call, and of the stack on this machine for one that it does not emulate. */
const NOT_EMULATED = new Set(['UnknownOperationException', 'UnknownOperation', 'InvalidAction']);

/** Undefined after an interruption; a refusal by AWS is also a finding, so that it doesn't hide the others. */
async function run(check: Check, services: VerifyServices): Promise<Finding | undefined> {
  try {
    return await check.run(services);
  } catch (error) {
    if (isCondition(error, 'VerificationInterrupted')) return undefined;
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
    if (!services.stack.isAws && NOT_EMULATED.has(name))
      return onlyAws('this machine does not emulate the call');
    if (name === 'AccessDenied')
      return notRun(
        message,
        'Your own credentials may not ask this. docs/verify.md has the policy that the command needs.',
      );
    return failed(
      `${name}: ${message}`,
      'The check could not be carried out. Try again; if it stays, report this file.',
    );
  }
}

function needsSpend(neededUsd: number, spendUsd: number | undefined): Finding {
  return notRun(
    '–',
    `Needs --spend ${decimal(neededUsd, 2)}: it creates or costs something${
      spendUsd === undefined ? '' : `, and ${dollars(spendUsd)} does not cover it beside what ran`
    }.`,
  );
}

function priceOf({ usd }: Check, region: string): number | null {
  return typeof usd === 'function' ? usd(region) : usd;
}

/**
 * Decides in the given order which checks run under the cap; the sum of their estimates never exceeds it. The share of a check
 * that is left out is available to those after it.
 *
 * @param capUsd undefined without `--spend`: then no check runs that creates or costs something
 */
export function planSpending(
  checks: readonly Priced[],
  capUsd: number | undefined,
): ReadonlyMap<string, SpendDecision> {
  const decisions = new Map<string, SpendDecision>();
  let cents = 0;
  for (const { name, usd } of checks) {
    const own = toCents(usd ?? 0);
    const fits = usd === null || (capUsd !== undefined && cents + own <= toCents(capUsd, Math.floor));
    if (fits) cents += own;
    decisions.set(name, fits ? { run: true } : { run: false, neededUsd: (cents + own) / 100 });
  }
  return decisions;
}

/** Estimates are whole cents, so that their sums are exact. */
function toCents(usd: number, round: (cents: number) => number = Math.ceil): number {
  return round(Math.round(usd * 1e6) / 1e4);
}
