/** A wait grows with the time waited, so that days of waiting take some hundred requests. */
const SHARE_OF_WAIT = 1 / 20;
const MIN_SECONDS = 2;

/** Seconds until the next look at something being waited for, at most `maxSeconds`. */
export function growingWaitSeconds(waitedSeconds: number, maxSeconds: number): number {
  return Math.round(Math.min(maxSeconds, Math.max(MIN_SECONDS, waitedSeconds * SHARE_OF_WAIT)));
}
