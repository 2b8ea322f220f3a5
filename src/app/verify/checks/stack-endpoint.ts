import { CPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { judgeStackEndpoint, type StackEndpointFacts } from '../../../verify/stack-endpoint.ts';
import { SLOW } from '../../../verify/test-handler.ts';
import type { Check } from '../check.ts';
import { askServed, deleteServed, deployAs, planToServe, postServed } from '../test-endpoint.ts';

/** Of the endpoint, and of the candidate and the second fleet of its update. */
const HOURS = 2;
/** In Base64 more than the 6 MB that a function takes, and yet less than the 10 MB that API Gateway reads at all. */
const TOO_LARGE_BYTES = 5_000_000;

/** The endpoint of the verification's run: with autoscaling, asked through the API, updated, deleted again. */
export const stackEndpoint: Check = {
  name: 'stack-endpoint',
  asks: 'Is an endpoint with autoscaling deployed and updated, does it answer through the API, and is it deleted?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const plan = await planToServe(services);
    if (plan === undefined)
      return {
        answered: '–',
        verdict: 'not run',
        means: 'It serves the model of stack-run, which has no report.',
      };
    const deployed = await deployAs(services, plan, 'instances');
    const facts: Partial<StackEndpointFacts> =
      deployed === 'SUCCEEDED'
        ? {
            answers: await askServed(services),
            tooLarge: await postServed(services, 'image/png', new Uint8Array(TOO_LARGE_BYTES)),
            slow: await postServed(services, 'image/png', Buffer.from(SLOW)),
            // Another variable is another model: a candidate is tested, and SageMaker is asked for UpdateEndpoint.
            updated: await deployAs(services, withVariable(plan), 'update'),
          }
        : {};
    const afterwards = facts.updated === 'SUCCEEDED' ? await askServed(services) : [];
    const deleted = await deleteServed(services, 'instances');
    const answers = [...(facts.answers ?? []), ...afterwards];
    return judgeStackEndpoint({ ...facts, deployed, deleted, answers });
  },
};

function withVariable(plan: NonNullable<Awaited<ReturnType<typeof planToServe>>>): typeof plan {
  const environment = { ...plan.model.environment, INFERDROP_VERIFY: 'updated' };
  return { ...plan, model: { ...plan.model, environment } };
}
