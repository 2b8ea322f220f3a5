const MAX_SECONDS = { atFirst: 60, inTheEnd: 900 } as const;
const GROWTH = 1.25;
/**
 * Bounds on the looks of a run: an execution has at most 25,000 events, about nine per look, so the interval grows with the duration of the
 * run.
 */
export const LOOKS_A_RUN = { fewest: 100, most: 2_000 } as const;

/**
 * Seconds until the next look at a job: few at first, so that short jobs end soon, then up to a minute; in a run that has taken
 * `runSeconds` already, between a two-thousandth and a hundredth of them.
 */
export function pollWaitSeconds(poll: number, runSeconds: number): number {
  const { atFirst, inTheEnd } = MAX_SECONDS;
  const longest = Math.min(inTheEnd, Math.max(atFirst, runSeconds / LOOKS_A_RUN.fewest));
  const shortest = Math.max(1, runSeconds / LOOKS_A_RUN.most);
  return Math.floor(Math.min(longest, shortest * GROWTH ** Math.min(poll, 40)));
}

/**
 * The same for a job that should end in `leftSeconds`: no longer than that, so that the run goes on when it has ended,
 * and no less than half of the usual wait, since a job may also stand still. In runs of hours the usual wait is kept,
 * for the sake of their events.
 */
export function waitUntilEnd(waitSeconds: number, leftSeconds: number): number {
  if (waitSeconds > MAX_SECONDS.atFirst) return waitSeconds;
  return Math.max(Math.ceil(waitSeconds / 2), Math.min(waitSeconds, Math.ceil(leftSeconds)));
}
