import type { Action } from '../kernel/action.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { createTokenBuckets } from '../kernel/token-buckets.ts';

/** Wraps actions so that each refuses requests above its rate, in requests a second; without a rate, all pass. */
export function throttled(
  actions: readonly Action[],
  perSecond: number | undefined,
  clock: Clock,
): readonly Action[] {
  if (perSecond === undefined) return actions;
  const buckets = createTokenBuckets(clock);
  return actions.map((action) => ({
    ...action,
    run(input, context, parse) {
      if (!buckets.take(action.name, { perSecond }))
        throw new AwsError('ThrottlingException', 'Rate exceeded');
      return action.run(input, context, parse);
    },
  }));
}
