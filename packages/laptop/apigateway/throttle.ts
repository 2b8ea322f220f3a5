import type { Clock } from '../kernel/clock.ts';
import { createTokenBuckets } from '../kernel/token-buckets.ts';
import type { Stage } from './api-record.ts';

/** Throttling by a stage's settings, one bucket a route. */
export interface Throttle {
  /** Takes a token; false if none is left. */
  admits(stage: Stage, routeKey: string): boolean;
}

/** All buckets start full. */
export function createThrottle(clock: Clock): Throttle {
  const buckets = createTokenBuckets(clock);
  return {
    admits(stage, routeKey) {
      const { ratePerSecond, burst } = { ...stage.defaultThrottling, ...stage.routeThrottling[routeKey] };
      const perSecond = ratePerSecond ?? burst;
      if (perSecond === undefined) return true;
      return buckets.take(`${stage.apiId}/${stage.name}/${routeKey}`, { perSecond, burst });
    },
  };
}
