import { planJson } from '../../records/plan.ts';
import type { Check } from '../check.ts';
import { serverlessUsd } from '../estimates.ts';
import { failed, type Finding, notRun, ok } from '../finding.ts';
import {
  askServed,
  deleteServed,
  deployAs,
  type EndpointTrial,
  NOTHING_TO_SERVE,
  planToServe,
  toBodies,
  toText,
  wrongAnswers,
} from '../probe/endpoint.ts';
import { verificationRun } from '../probe/run.ts';

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
    const { store, id } = services;
    const deployed = await deployAs(services, { ...plan, model, endpoint }, 'serverless');
    const answers = deployed === 'SUCCEEDED' ? await askServed(services) : [];
    const deleted = await deleteServed(services, 'serverless');
    await planJson(verificationRun(id)).write(store, plan);
    return judgeServerlessEndpoint({ deployed, deleted, answers });
  },
};

/** Whether a serverless endpoint can be deployed, answers through the API, and is deleted. */
export function judgeServerlessEndpoint({ deployed, deleted, answers }: EndpointTrial): Finding {
  const answered = [`deployment ${deployed}`, ...answers.map(toText), `deletion ${deleted}`].join('; ');
  if (deployed !== 'SUCCEEDED')
    return failed(
      answered,
      'Serverless endpoints cannot be deployed: see denied-calls, and the account’s quota of serverless endpoints.',
    );
  if (deleted !== 'SUCCEEDED')
    return failed(
      answered,
      'The endpoint was not deleted; idle it costs nothing: delete it in SageMaker, and report this file.',
    );
  const wrong = wrongAnswers(answers);
  if (wrong.length > 0)
    return failed(
      `${answered}; ${toBodies(wrong)}`,
      'A serverless endpoint does not answer through the API. Report this file.',
    );
  return ok(answered, 'Serverless endpoints are deployed, answer through the API, and are deleted.');
}
