import { expect, it } from 'vitest';
import { whyNotDeployable } from '../../../src/deployment/stack-state.ts';

const PLACE = { stackName: 'inferdrop-rc', stage: 'rc', region: 'eu-west-1' };

it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE', 'IMPORT_COMPLETE'])(
  'a stack that is %s can be deployed to',
  (status) => expect(whyNotDeployable(status, PLACE)).toBeUndefined(),
);

it.each([
  [
    'ROLLBACK_COMPLETE',
    /can only be removed: inferdrop remove --stage rc --region eu-west-1, and deploy again$/,
  ],
  ['ROLLBACK_FAILED', /can only be removed/],
  ['DELETE_FAILED', /can only be removed.*Its events say what could not be deleted/],
  ['REVIEW_IN_PROGRESS', /never carried out\. Remove it/],
  ['UPDATE_IN_PROGRESS', /another deployment or removal is under way/],
  [
    'UPDATE_ROLLBACK_FAILED',
    /aws cloudformation continue-update-rollback --stack-name inferdrop-rc --region eu-west-1/,
  ],
])('one that is %s gets its remedy', (status, remedy) => {
  expect(whyNotDeployable(status, PLACE)).toMatch(remedy);
});
