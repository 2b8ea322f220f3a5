import { HOUR_MS } from '../text/milliseconds.ts';
/** Facts that an endpoint's end depends on. Times are in ms since 1970. */
export interface Lifetime {
  readonly now: number;
  readonly deployedAt: number;
  /** Null if the endpoint is kept. */
  readonly expiresAt: number | null;
  /** Null if idleness does not matter, as for serverless endpoints. */
  readonly idleHours: number | null;
  /** Undefined if it has not been invoked since its deployment. */
  readonly lastInvokedAt: number | undefined;
  /** Time at which its end was announced, and the reason. */
  readonly warnedAt: number | null;
  readonly warnedOf: 'expired' | 'idle' | null;
}

/** Decision about an endpoint at this time. */
export type Judgment =
  | { readonly verdict: 'keep' }
  /** `dueAt`: when it will be deleted unless it's deployed again or, if it's idle, invoked. */
  | { readonly verdict: 'warn'; readonly reason: 'expired' | 'idle'; readonly dueAt: number }
  | { readonly verdict: 'delete'; readonly reason: 'expired' | 'idle' };

/** Time of the warning before the end; for a shorter life, its last quarter. */
const WARN_MS = HOUR_MS;
/** Minimum time between a warning and the deletion, however late the warning came. */
const GRACE_MS = 10 * 60_000;

/**
 * Judges an endpoint. Nothing is deleted without a warning before it, and never within ten minutes of it; an endpoint without a
 * limit is kept. An invocation after the warning of idleness restarts the time.
 */
export function judgeLifetime(life: Lifetime): Judgment {
  const { now, deployedAt, expiresAt, idleHours, lastInvokedAt, warnedAt, warnedOf } = life;
  if (expiresAt === null) return { verdict: 'keep' };
  const idleFrom = Math.max(deployedAt, lastInvokedAt ?? 0);
  const idleAt = idleHours === null ? Infinity : idleFrom + idleHours * HOUR_MS;
  const reason = idleAt < expiresAt ? 'idle' : 'expired';
  const dueAt = Math.min(idleAt, expiresAt);
  const lengthMs = dueAt - (reason === 'idle' ? idleFrom : deployedAt);
  const warnAt = dueAt - Math.min(WARN_MS, lengthMs / 4);
  // A warning of idleness is void once the endpoint has been invoked, and did not announce its expiry.
  const isWarned =
    warnedAt !== null && warnedOf === reason && warnedAt >= (reason === 'idle' ? idleFrom : deployedAt);
  const warned = isWarned ? warnedAt : null;
  if (warned === null) {
    if (now < warnAt) return { verdict: 'keep' };
    return { verdict: 'warn', reason, dueAt: Math.max(dueAt, now + graceMs(lengthMs)) };
  }
  const deleteAt = Math.max(dueAt, warned + graceMs(lengthMs));
  return now >= deleteAt ? { verdict: 'delete', reason } : { verdict: 'keep' };
}

/** The grace after a warning; a lifetime of a few minutes has less than ten. */
function graceMs(lengthMs: number): number {
  return Math.min(GRACE_MS, lengthMs / 4);
}
