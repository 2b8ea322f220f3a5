import type { Check } from '../check.ts';
import { type Finding, notRun, ok } from '../finding.ts';
import { type EndpointTrial, planToServe, readTrial, tryServed } from '../probe/endpoint.ts';
import { functionRun } from '../probe/run.ts';

/** The model of lambda-run, answered for by a function, asked through the API, and deleted again. */
export const lambdaEndpoint: Check = {
  name: 'lambda-endpoint',
  asks: 'Is an endpoint of type lambda deployed, does it answer through the API, and is it deleted?',
  usd: 0.01,
  run: async (services) => {
    const plan = await planToServe(services, functionRun(services.id));
    if (plan === undefined || plan.endpoint === null)
      return notRun('–', 'It serves the model of lambda-run, which has no report.');
    const { trial } = await tryServed(services, { plan, served: plan, step: 'lambda' });
    return judgeLambdaEndpoint(trial);
  },
};

/** Whether an endpoint of type lambda can be deployed, answers through the API, and is deleted. */
export function judgeLambdaEndpoint(trial: EndpointTrial): Finding {
  const { answered, trouble } = readTrial(trial, {
    notDeployed:
      'Endpoints of type lambda cannot be deployed: see denied-calls, the log of serve-model, and the messages of the endpoint.',
    notDeleted:
      'The endpoint was not deleted; idle it costs nothing: delete it by inferdrop endpoints delete, and report this file.',
    wrongAnswers:
      'An endpoint of type lambda does not answer through the API: see the logs of predict and serve-model, and report this file.',
  });
  return (
    trouble ?? ok(answered, 'Endpoints of type lambda are deployed, answer through the API, and are deleted.')
  );
}
