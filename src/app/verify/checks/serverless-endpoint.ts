import { serverlessUsd } from '../../../verify/estimates.ts';
import { judgeServerlessEndpoint } from '../../../verify/serverless-endpoint.ts';
import { planJson } from '../../records/plan.ts';
import type { Check } from '../check.ts';
import { askServed, deleteServed, deployAs, planToServe } from '../test-endpoint.ts';
import { verificationRun } from '../verification-run.ts';

const MEMORY_MB = 2048;
/** The smoke test's 20 requests, those of the check, and start-up, which is billed: all rounded up. */
const SECONDS = 120;

/** The model of the verification's run on a serverless endpoint, asked through the API, and deleted again. */
export const serverlessEndpoint: Check = {
  name: 'serverless-endpoint',
  asks: 'Is a serverless endpoint deployed, does it answer through the API, and is it deleted?',
  usd: () => serverlessUsd(MEMORY_MB, SECONDS),
  run: async (services) => {
    const plan = await planToServe(services);
    if (plan === undefined || plan.endpoint === null)
      return {
        answered: '–',
        verdict: 'not run',
        means: 'It serves the model of stack-run, which has no report.',
      };
    if (plan.model.vpc !== null)
      return {
        answered: 'the models of this stack run in a VPC',
        verdict: 'not run',
        means: 'SageMaker has no serverless endpoints in a VPC; PlanRun refuses them.',
      };
    const serverless = { type: 'serverless', memorySizeInMB: MEMORY_MB, maxConcurrency: 1 } as const;
    const endpoint = { ...plan.endpoint, ...serverless, autoscaling: null, idleHours: null, hourlyUsd: null };
    // SageMaker has no serverless endpoints with isolation either; the handler is the verification's own.
    const model = { ...plan.model, networkIsolation: false };
    const { store, id } = services;
    const deployed = await deployAs(services, { ...plan, model, endpoint }, 'serverless');
    const answers = deployed === 'SUCCEEDED' ? await askServed(services) : [];
    const deleted = await deleteServed(services, 'serverless');
    await planJson(verificationRun(id)).write(store, plan);
    return judgeServerlessEndpoint({ deployed, deleted, answers });
  },
};
