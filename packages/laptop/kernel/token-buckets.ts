import type { Clock } from './clock.ts';

/** How many requests a bucket lets through. */
interface Rate {
  /** Tokens that come back. */
  readonly perSecond: number;
  /** Most tokens at a time; by default as many as arrive in a second. */
  readonly burst?: number | undefined;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Token buckets by name, full at first, that fill by this clock. */
export function createTokenBuckets(clock: Clock) {
  const buckets = new Map<string, Bucket>();
  return {
    /** Takes a token; false if the bucket is empty. */
    take(name: string, { perSecond, burst }: Rate): boolean {
      const capacity = burst ?? Math.max(1, perSecond);
      const now = clock.now();
      const bucket = buckets.get(name) ?? { tokens: capacity, atMs: now };
      bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.atMs) / 1000) * perSecond);
      bucket.atMs = now;
      buckets.set(name, bucket);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
  };
}
