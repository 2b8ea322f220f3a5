import { isCondition } from '../../problem/conditions.ts';
import { PROGRAM } from '../../report/program.ts';
import type { Finding } from '../../verify/finding.ts';
import { mask } from '../../verify/mask.ts';
import { planSpending } from '../../verify/spending.ts';
import type { CheckResult, Verification } from '../../verify/verification.ts';
import type { Check, VerifyServices } from './check.ts';
import { runCheck } from './run-check.ts';

interface VerifyOptions {
  readonly checks: readonly Check[];
  /** US dollars that the checks may cost together; undefined: only those that read. */
  readonly spendUsd: number | undefined;
  /** Ends the verification early; what it has created is removed all the same. */
  readonly signal: AbortSignal;
  /** Called as each check begins and as it ends. */
  readonly watch: { begins(check: Check): void; ended(result: CheckResult): void };
}

/** What was removed, and what could not be. */
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
      decision?.run === false
        ? needsSpend(decision.neededUsd, spendUsd)
        : await runCheck(() => check.run(services), stack).catch(asInterrupted);
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
  // What only reads leaves nothing.
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

function asInterrupted(error: unknown): undefined {
  if (isCondition(error, 'VerificationInterrupted')) return undefined;
  throw error;
}

function needsSpend(neededUsd: number, spendUsd: number | undefined): Finding {
  return {
    answered: '–',
    verdict: 'not run',
    means: `Needs --spend ${neededUsd.toFixed(2)}: it creates or costs something${
      spendUsd === undefined ? '' : `, and $${spendUsd.toFixed(2)} does not cover it beside what ran`
    }.`,
  };
}

function priceOf({ usd }: Check, region: string): number | null {
  return typeof usd === 'function' ? usd(region) : usd;
}
