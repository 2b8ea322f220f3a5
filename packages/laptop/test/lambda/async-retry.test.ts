import { expect, test } from 'vitest';
import { afterAttempt } from '../../lambda/async-invocations.ts';

const DAY_MS = 86_400_000;

test.each([
  ['the first failure', { attempts: 1 }, { delayMs: 60_000 }],
  ['the second failure', { attempts: 2 }, { delayMs: 120_000 }],
  ['the third failure', { attempts: 3 }, { givenUp: 'RetriesExhausted' }],
  ['the first throttle', { throttles: 1, isThrottled: true }, { delayMs: 1000 }],
  ['the fourth throttle', { throttles: 4, isThrottled: true }, { delayMs: 8000 }],
  ['a late throttle', { throttles: 20, isThrottled: true }, { delayMs: 300_000 }],
  ['a throttle between failures', { attempts: 2, throttles: 1, isThrottled: true }, { delayMs: 1000 }],
  ['a failure of an old event', { attempts: 1, ageMs: DAY_MS }, { givenUp: 'EventAgeExceeded' }],
  ['a wait up to the age', { attempts: 1, ageMs: 21_540_000 }, { delayMs: 60_000 }],
  ['a wait past the age', { attempts: 1, ageMs: 21_540_001 }, { givenUp: 'EventAgeExceeded' }],
  ['the last failure of an old event', { attempts: 3, ageMs: DAY_MS }, { givenUp: 'RetriesExhausted' }],
])('after %s', (_, tries, next) => {
  const given = { attempts: 0, throttles: 0, isThrottled: false, ageMs: 0, ...tries };
  expect(afterAttempt(given)).toEqual(next);
});
