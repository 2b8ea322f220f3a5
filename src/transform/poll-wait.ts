const LONGEST_SECONDS = 60;
const GROWTH = 1.25;

/** Seconds until the next look at a job: seconds at first, so that short jobs end soon, then up to a minute. */
export function pollWaitSeconds(poll: number): number {
  return Math.min(LONGEST_SECONDS, Math.max(1, Math.floor(GROWTH ** Math.min(poll, 40))));
}
