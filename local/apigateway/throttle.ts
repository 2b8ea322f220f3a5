import type { Clock } from '../gateway/clock.ts';
import type { Stage } from './api-record.ts';

/** Token buckets, one a route: `burst` tokens at most, `ratePerSecond` come back. */
export interface Throttle {
  /** Takes a token; false if there is none. */
  admits(stage: Stage, routeKey: string): boolean;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** All buckets start full. */
export function createThrottle(clock: Clock): Throttle {
  const buckets = new Map<string, Bucket>();
  return {
    admits(stage, routeKey) {
      const { ratePerSecond, burst } = { ...stage.defaultThrottling, ...stage.routeThrottling[routeKey] };
      if (ratePerSecond === undefined && burst === undefined) return true;
      const capacity = burst ?? Math.max(1, ratePerSecond ?? 0);
      const name = `${stage.apiId}/${stage.name}/${routeKey}`;
      const now = clock.now();
      const bucket = buckets.get(name) ?? { tokens: capacity, atMs: now };
      const refill = ((now - bucket.atMs) / 1000) * (ratePerSecond ?? capacity);
      bucket.tokens = Math.min(capacity, bucket.tokens + refill);
      bucket.atMs = now;
      buckets.set(name, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
