import type { JobRecord } from './job-record.ts';

/** Cap on the attempts beyond the plan's jobs. */
const MORE_ATTEMPTS = 3;

/** Why a run ends if neither half of a job left an output. */
export const BOTH_HALVES_FAILED = 'both halves of a job yielded nothing';

/** Facts after an attempt has ended. */
export interface AttemptsSoFar {
  /** In order; attempts for which AWS had no capacity are left out. */
  readonly attempts: readonly Pick<JobRecord, 'kind' | 'part' | 'objects'>[];
  /** Whether the last attempt left any output. */
  readonly lastYielded: boolean;
  /** Whether the engine itself failed in the last attempt, which says nothing about its inputs. */
  readonly engineFailed: boolean;
  /** Jobs in the plan. */
  readonly parts: number;
  /** Inputs of the attempts so far that have no output although they are unchanged. */
  readonly missing: number;
  /** Why no further job may start. */
  readonly limit: string | undefined;
  /** Maximum retries of a part if an unanswered input may cost its neighbors their answers; each retry has smaller bundles. Otherwise 0. */
  readonly smaller: number;
  /** Whether each request of a job without an answer was refused, and a retry would send several inputs in each again. */
  readonly isRefused: boolean;
}

/** The next attempt; `reason` says why work is left undone. */
export type NextAttempt =
  | { readonly next: 'part' | 'retry' | 'first-half' | 'second-half' | 'spread'; readonly part: number }
  | { readonly next: 'fold'; readonly reason: string | undefined };

/**
 * Chooses the next attempt, keeping all outputs: missing inputs are sent once more in one job after all others, and only a job of
 * the plan that yields nothing at all is halved, one half after the other, unless smaller bundles separate its inputs (a few are
 * sent first if all requests were refused). The only input of a run goes again only if the engine itself failed. At most three
 * attempts beyond the plan's own, none past a limit.
 */
export function decideNextAttempt({
  attempts,
  lastYielded,
  engineFailed,
  parts,
  missing,
  limit,
  smaller,
  isRefused,
}: AttemptsSoFar): NextAttempt {
  const last = attempts.at(-1);
  if (last === undefined) return { next: 'fold', reason: 'no job ran' };
  const { part, kind } = last;
  const allDone = missing === 0 && part === parts;
  if (limit !== undefined) return { next: 'fold', reason: allDone ? undefined : limit };
  const spare = attempts.filter((attempt) => attempt.kind !== 'part').length < MORE_ATTEMPTS;
  if (missing > 0 && spare) {
    const isNothing = kind === 'part' && !lastYielded && last.objects > 1;
    if (isNothing && isRefused) return { next: 'spread', part };
    if (isNothing && smaller === 0) return { next: 'first-half', part };
    if (kind === 'first-half' && !lastYielded) return { next: 'second-half', part };
  }
  if (kind === 'second-half' && !lastYielded) return { next: 'fold', reason: BOTH_HALVES_FAILED };
  if (part < parts) return { next: 'part', part: part + 1 };
  const retried = attempts.filter((attempt) => attempt.kind === 'retry' && attempt.part === part).length;
  const mayYield = lastYielded || parts > 1 || engineFailed || smaller > 0;
  if (missing > 0 && spare && retried < Math.max(1, smaller) && mayYield) return { next: 'retry', part };
  return { next: 'fold', reason: undefined };
}
