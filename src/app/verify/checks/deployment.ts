import { judgeDeployment } from '../../../verify/deployment.ts';
import type { Check } from '../check.ts';

const DONE = /^(CREATE|UPDATE|IMPORT)_COMPLETE$/;

/** Whether the last deployment reached its end. */
export const deployment: Check = {
  name: 'deployment',
  asks: 'Is the stack as its last deployment meant it?',
  usd: null,
  run: async ({ stack: { description, resources } }) =>
    judgeDeployment({ ...description, unfinished: resources.filter(({ status }) => !DONE.test(status)) }),
};
