import { expect, test } from 'vitest';
import { nextDeleteMove, nextDeployMove, nextRollBackMove } from '../../../src/endpoint/next-move.ts';

const at = (status: string, configName = 'old') => ({ status, configName });
const live = (configName: string) =>
  ({ live: 'v', variants: { v: { configName } } }) as unknown as Parameters<
    typeof nextDeployMove
  >[0]['served'];

test.each([
  // found, requested, what serves, proof
  [undefined, false, undefined, 'needed', 'create'],
  [undefined, true, undefined, 'needed', 'create'],
  [at('Creating', 'new'), true, undefined, 'needed', 'await'],
  [at('Updating'), true, live('old'), 'given', 'await'],
  [at('Updating'), false, live('old'), 'given', 'wait'],
  [at('Deleting'), false, undefined, 'needed', 'wait'],
  [at('InService', 'new'), true, undefined, 'needed', 'await'],
  [at('InService', 'new'), false, live('new'), 'needed', 'done'],
  [at('InService', 'new'), false, live('old'), 'needed', 'adopt'],
  [at('InService', 'new'), false, undefined, 'needed', 'adopt'],
  [at('Failed', 'new'), true, undefined, 'needed', 'await'],
  [at('Failed', 'new'), false, undefined, 'needed', 'delete-failed'],
  [at('Failed'), false, live('old'), 'given', 'delete-failed'],
  [at('InService'), false, live('old'), 'needed', 'try-candidate'],
  [at('InService'), false, live('old'), 'given', 'update'],
  [at('OutOfService'), false, undefined, 'given', 'update'],
  [at('UpdateRollbackFailed'), false, undefined, 'needed', 'try-candidate'],
] as const)(
  'a deployment that finds %j (asked before: %s, serving %j, proof %s) does: %5$s',
  (found, requested, served, proof, move) => {
    expect(nextDeployMove({ found, claimed: { requested }, configName: 'new', served, proof })).toBe(move);
  },
);

const change = {
  requested: true,
  inherited: false,
  candidateName: null,
  configName: 'new',
  previousConfigName: 'old',
};
const baking = (status: string) => ({ ...own(status, 'old'), bakingConfigName: 'new' });
const own = (status: string, configName = 'new') => ({ status, configName, isOurs: true });
test.each([
  [own('InService'), change, false, 'wait'],
  [own('InService'), { ...change, requested: false }, true, 'nothing'],
  [own('InService'), { ...change, requested: false, candidateName: 'c' }, true, 'reached'],
  [own('InService'), { ...change, requested: false, inherited: true }, true, 'restore'],
  [undefined, change, true, 'nothing'],
  [undefined, { ...change, previousConfigName: null }, true, 'reached'],
  [{ ...own('InService'), isOurs: false }, change, true, 'nothing'],
  [own('Deleting'), change, true, 'reached'],
  [own('Updating', 'old'), change, true, 'wait'],
  [baking('Updating'), change, true, 'ring'],
  [baking('RollingBack'), change, true, 'wait'],
  [baking('Updating'), { ...change, configName: 'another' }, true, 'wait'],
  [{ ...baking('Updating'), isOurs: false }, change, true, 'nothing'],
  [own('InService'), { ...change, previousConfigName: null }, true, 'delete'],
  [own('Failed'), change, true, 'delete'],
  [own('InService', 'old'), change, true, 'reached'],
  [own('OutOfService', 'old'), change, true, 'restore'],
  [own('InService'), change, true, 'restore'],
] as const)(
  'the way back from %j by %j (candidate gone: %s) does: %s',
  (found, of, isCandidateGone, move) => {
    expect(nextRollBackMove({ found, change: of, isCandidateGone })).toBe(move);
  },
);

test.each([
  [at('InService'), false, 'wait'],
  [undefined, true, 'reached'],
  [at('Deleting'), true, 'reached'],
  [at('Creating'), true, 'wait'],
  [at('InService'), true, 'delete'],
  [at('Failed'), true, 'delete'],
] as const)('a deletion that finds %j (candidate gone: %s) does: %s', (found, isCandidateGone, move) => {
  expect(nextDeleteMove(found, isCandidateGone)).toBe(move);
});
