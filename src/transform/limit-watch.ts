import { dollars, grouped } from '../text/figures.ts';
import { sharePercent } from '../text/share-percent.ts';

/** Factor by which a running job may exceed a limit, since a stopped job's outputs are lost. */
export const RUNTIME_TOLERANCE = 1.2;

/** Limits of a run and how much of them is used. */
export interface Spending {
  /** US dollars so far; null if the price of the instance is unknown. */
  readonly costUsd: number | null;
  readonly runtimeMinutes: number;
  readonly maxCostUsd: number | null;
  readonly maxRuntimeMinutes: number;
}

/** Why no further job may start, or undefined. */
export function reasonToEnd(spending: Spending): string | undefined {
  return reasonPast(spending, 1);
}

/** Why the running job must be stopped, or undefined: a limit is exceeded by more than a fifth. */
export function reasonToStop(spending: Spending): string | undefined {
  return reasonPast(spending, RUNTIME_TOLERANCE);
}

/** Inputs of a run that are settled, and those that won't have an answer. */
interface Settled {
  readonly settled: number;
  readonly errors: number;
  readonly asked: number;
  /** Errors with which gate.maxErrorRate can be proven, at the most; null without a bound. */
  readonly mostErrors: number | null;
  readonly maxErrorRate: number | undefined;
  readonly noun: 'records' | 'inputs';
}

/** Why a run need not go on: `gate.maxErrorRate` can't be proven any more. */
export function reasonByErrors(run: Settled): string | undefined {
  const { settled, errors, asked, mostErrors, maxErrorRate, noun } = run;
  if (mostErrors === null || maxErrorRate === undefined || errors <= mostErrors) return undefined;
  return (
    `Stopped after ${grouped(settled)} of ${grouped(asked)} ${noun}: ${grouped(errors)} have no answer, and ` +
    `gate.maxErrorRate ${sharePercent(maxErrorRate)} can be proven with at most ${grouped(mostErrors)}`
  );
}

function reasonPast(
  { costUsd, runtimeMinutes, maxCostUsd, maxRuntimeMinutes }: Spending,
  factor: number,
): string | undefined {
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd * factor) {
    return `limits.maxCostUsd is ${dollars(maxCostUsd)}, the run has cost ${dollars(costUsd)}`;
  }
  if (runtimeMinutes >= maxRuntimeMinutes * factor) {
    return `limits.maxRuntimeMinutes is ${maxRuntimeMinutes}, the run has taken ${Math.round(runtimeMinutes)}`;
  }
  return undefined;
}
