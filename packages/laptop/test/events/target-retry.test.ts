import { expect, test } from 'vitest';
import { afterFailure } from '../../events/target-delivery.ts';

const FIRST = { code: 'INTERNAL_ERROR', attempts: 0, ageMs: 0, jitter: 0 };
const DAY_MS = 86_400_000;
const NO_RETRY = { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 86_400 };
const A_MINUTE = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 60 };

test.each([
  ['a first failure', {}, undefined, { delayMs: 500 }],
  ['a first failure with jitter', { jitter: 0.5 }, undefined, { delayMs: 750 }],
  ['a fourth failure', { attempts: 3 }, undefined, { delayMs: 4000 }],
  ['a late failure', { attempts: 20 }, undefined, { delayMs: 300_000 }],
  ['a missing target', { code: 'NO_RESOURCE' }, undefined, { givenUp: 'NotRetryable' }],
  ['a refusal', { code: 'NO_PERMISSIONS' }, undefined, { givenUp: 'NotRetryable' }],
  ['the last attempt by default', { attempts: 185 }, undefined, { givenUp: 'MaximumRetryAttempts' }],
  ['no retry', {}, NO_RETRY, { givenUp: 'MaximumRetryAttempts' }],
  ['a day', { ageMs: DAY_MS }, undefined, { givenUp: 'MaximumEventAgeInSeconds' }],
  ['a wait up to the age', { ageMs: 59_500 }, A_MINUTE, { delayMs: 500 }],
  ['a wait past the age', { ageMs: 59_501 }, A_MINUTE, { givenUp: 'MaximumEventAgeInSeconds' }],
])('after %s', (_, failed, policy, next) => {
  expect(afterFailure({ ...FIRST, ...failed }, policy)).toEqual(next);
});
