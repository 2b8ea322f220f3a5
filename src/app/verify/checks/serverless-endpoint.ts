import type { Check } from '../check.ts';
import { serverlessUsd } from '../estimates.ts';
import { type Finding, notRun, ok } from '../finding.ts';
import {
  type EndpointTrial,
  NOTHING_TO_SERVE,
  planToServe,
  readTrial,
  tryServed,
} from '../probe/endpoint.ts';

const MEMORY_MB = 2048;
/** The smoke test's 20 requests, the check's own, and start-up, which is billed: all rounded up. */
const SECONDS = 120;

/** The model of the verification's run on a serverless endpoint, asked through the API, and deleted again. */
export const serverlessEndpoint: Check = {
  name: 'serverless-endpoint',
  asks: 'Is a serverless endpoint deployed, does it answer through the API, and is it deleted?',
  usd: () => serverlessUsd(MEMORY_MB, SECONDS),
  run: async (services) => {
    const plan = await planToServe(services);
    if (plan === undefined || plan.endpoint === null) return NOTHING_TO_SERVE;
    if (plan.model.vpc !== null)
      return notRun(
        'the models of this stack run in a VPC',
        'SageMaker has no serverless endpoints in a VPC; PlanRun refuses them.',
      );
    const serverless = { type: 'serverless', memorySizeInMB: MEMORY_MB, maxConcurrency: 1 } as const;
    const endpoint = { ...plan.endpoint, ...serverless, autoscaling: null, idleHours: null, hourlyUsd: null };
    // SageMaker has no serverless endpoints with isolation either; the handler is the verification's own.
    const model = { ...plan.model, networkIsolation: false };
    const served = { ...plan, model, endpoint };
    const { trial } = await tryServed(services, { plan, served, step: 'serverless' });
    return judgeServerlessEndpoint(trial);
  },
};

/** Whether a serverless endpoint can be deployed, answers through the API, and is deleted. */
export function judgeServerlessEndpoint(trial: EndpointTrial): Finding {
  const { answered, trouble } = readTrial(trial, {
    notDeployed:
      'Serverless endpoints cannot be deployed: see denied-calls, and the account’s quota of serverless endpoints.',
    notDeleted:
      'The endpoint was not deleted; idle it costs nothing: delete it in SageMaker, and report this file.',
    wrongAnswers: 'A serverless endpoint does not answer through the API. Report this file.',
  });
  return (
    trouble ?? ok(answered, 'Serverless endpoints are deployed, answer through the API, and are deleted.')
  );
}
