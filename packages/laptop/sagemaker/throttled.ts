import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { JsonActions } from '../kernel/service.ts';
import { createTokenBuckets } from '../kernel/token-buckets.ts';

/** Wraps actions so that each refuses requests above its rate, in requests a second; without a rate, all pass. */
export function throttled(actions: JsonActions, perSecond: number | undefined, clock: Clock): JsonActions {
  if (perSecond === undefined) return actions;
  const buckets = createTokenBuckets(clock);
  return Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [
      name,
      (input, context) => {
        if (!buckets.take(name, { perSecond })) throw new AwsError('ThrottlingException', 'Rate exceeded');
        return action(input, context);
      },
    ]),
  );
}
