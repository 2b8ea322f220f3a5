import type { Plan } from './plan.ts';

/** The round that a run is in. A run without rounds, or one that repeats another run's, is in its only one. */
export function currentRound({ rounds, jobs }: Pick<Plan, 'rounds' | 'jobs'>): {
  readonly firstAttempt: number;
  /** The first of its jobs. */
  readonly firstPart: number;
} {
  if (rounds?.isOpen !== true) return { firstAttempt: 1, firstPart: 1 };
  const round = rounds.upTo.length;
  return {
    firstAttempt: rounds.attempts.at(-1) ?? 1,
    firstPart: jobs.find((job) => job.round === round)?.part ?? 1,
  };
}
