import type { StageThrottles, Throttle } from '../../../aws/account/api-stage.ts';
import type { Check } from '../check.ts';
import { failed, type Finding, ok } from '../finding.ts';
import { resourceOf } from '../verified-stack.ts';

/** Throttles of the prediction route, as they arrived. */
export const routeThrottles: Check = {
  name: 'route-throttles',
  asks: 'Are the throttles of the prediction route numbers, and the stack’s own?',
  usd: null,
  run: async ({ throttles, stack }) => {
    const { parameters } = stack.description;
    return judgeThrottles(await throttles(resourceOf(stack, 'Api')), {
      route: 'POST /predict/{pipeline}',
      rate: Number(parameters.get('PredictRateLimit')),
      burst: Number(parameters.get('PredictBurstLimit')),
    });
  },
};

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
    return failed(
      answered,
      `The stack asked for numbers, and for ${expected.rate} a second and ${expected.burst} at once on ` +
        `${expected.route}. Set them in the stage by hand, and report this file.`,
    );
  return ok(answered, 'Predictions are throttled by PredictRateLimit and PredictBurstLimit.');
}

function toText(route: string, { rate, burst }: Throttle): string {
  return `${route}: ${JSON.stringify(rate) ?? 'no rate'} a second, ${JSON.stringify(burst) ?? 'no burst'} at once`;
}
