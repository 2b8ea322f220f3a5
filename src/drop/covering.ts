import { DAY_MS } from '../text/milliseconds.ts';
/** Allowance for the difference between the clocks of S3 and EventBridge; a younger event is doubtful and opens a generation. */
const DOUBT_MS = 15 * 60 * 1000;

/**
 * Whether this upload was certainly there when the listing after the marker began.
 *
 * Compares the event's own time with the marker's LastModified. An object's LastModified would not do: for a multipart upload it
 * is the upload's start. A Lambda's clock, `now`, only adds doubt: a marker of the future was left by a clock that has been put
 * back since, and later events may seem to precede it.
 */
export function isCovered(eventAt: Date, freezingAt: Date | undefined, now: Date): boolean {
  if (freezingAt === undefined || freezingAt.getTime() > now.getTime() + DOUBT_MS) return false;
  return eventAt.getTime() < freezingAt.getTime() - DOUBT_MS;
}

/** S3 removes expired objects some days late, and gives a multipart upload the time of its start. */
const LATE_DAYS = 7;

/** Days that the bucket keeps uploads, and versions of them that are no longer current. */
export interface Retention {
  readonly incomingDays: number;
  readonly noncurrentDays: number;
}

/** Files last modified before this time and not listed now cannot come back: S3 has removed their last versions. */
export function forgottenBefore(now: Date, { incomingDays, noncurrentDays }: Retention): Date {
  return new Date(now.getTime() - (incomingDays + noncurrentDays + LATE_DAYS) * DAY_MS);
}
