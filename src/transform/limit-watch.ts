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

function reasonPast(
  { costUsd, runtimeMinutes, maxCostUsd, maxRuntimeMinutes }: Spending,
  factor: number,
): string | undefined {
  if (maxCostUsd !== null && costUsd !== null && costUsd >= maxCostUsd * factor) {
    return `limits.maxCostUsd is ${maxCostUsd}, the run has cost ${Number(costUsd.toPrecision(3))}`;
  }
  if (runtimeMinutes >= maxRuntimeMinutes * factor) {
    return `limits.maxRuntimeMinutes is ${maxRuntimeMinutes}, the run has taken ${Math.round(runtimeMinutes)}`;
  }
  return undefined;
}
