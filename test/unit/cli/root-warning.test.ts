import { expect, test } from 'vitest';
import { rootWarning } from '../../../src/cli/laptop/root-warning.ts';

test.each<[number | undefined, boolean]>([
  [0, true],
  [1000, false],
  // Windows has no user ids.
  [undefined, false],
])('the user %s is warned: %s', (userId, isWarned) => {
  expect(rootWarning(userId) !== undefined).toBe(isWarned);
});
