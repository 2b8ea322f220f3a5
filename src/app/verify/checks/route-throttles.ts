import { judgeThrottles } from '../../../verify/route-throttles.ts';
import type { Check } from '../check.ts';
import { resourceOf } from '../stack-resource.ts';

/** Throttles of the prediction route, as they arrived. */
export const routeThrottles: Check = {
  name: 'route-throttles',
  asks: 'Are the throttles of the prediction route numbers, and those of the stack?',
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
