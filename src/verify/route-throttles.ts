import type { Finding } from './finding.ts';

/** Average requests per second, and the burst, as API Gateway returns them. */
export interface Throttle {
  readonly rate: unknown;
  readonly burst: unknown;
}

/** Throttles of a stage: of routes that have their own, by route key, and of all others. */
export interface StageThrottles {
  readonly others: Throttle;
  readonly routes: Readonly<Record<string, Throttle>>;
}

/** Whether the throttles of the API's stage are numbers: `RouteSettings` is free JSON, which CloudFormation does not check. */
export function judgeThrottles(
  { others, routes }: StageThrottles,
  expected: { readonly route: string; readonly rate: number; readonly burst: number },
): Finding {
  const own = routes[expected.route] ?? others;
  const all = [
    [expected.route, own],
    ...Object.entries(routes).filter(([route]) => route !== expected.route),
  ] as const;
  const answered = all.map(([route, throttle]) => toText(route, throttle)).join('; ');
  const notNumbers = all.filter(
    ([, { rate, burst }]) => typeof rate !== 'number' || typeof burst !== 'number',
  );
  if (own.rate !== expected.rate || own.burst !== expected.burst || notNumbers.length > 0)
    return {
      answered,
      verdict: 'failed',
      means: `The stack asked for numbers, and for ${expected.rate} a second and ${expected.burst} at once on ${expected.route}. Set them in the stage by hand, and report this file.`,
    };
  return {
    answered,
    verdict: 'ok',
    means: 'Predictions are throttled by PredictRateLimit and PredictBurstLimit.',
  };
}

function toText(route: string, { rate, burst }: Throttle): string {
  return `${route}: ${JSON.stringify(rate) ?? 'no rate'} a second, ${JSON.stringify(burst) ?? 'no burst'} at once`;
}
