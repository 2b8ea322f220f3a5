import type { Finding } from './finding.ts';
import { type EndpointAnswer, wrongAnswers } from './stack-endpoint.ts';

/** Whether a serverless endpoint can be deployed, answers through the API, and is deleted. */
export function judgeServerlessEndpoint({
  deployed,
  deleted,
  answers,
}: {
  /** Final states of the executions, with error and cause where they have them. */
  readonly deployed: string;
  readonly deleted: string;
  readonly answers: readonly EndpointAnswer[];
}): Finding {
  const said = answers.map(
    ({ sent, status, predictions }) => `${sent}: ${status} with ${predictions} predictions`,
  );
  const answered = [`deployment ${deployed}`, ...said, `deletion ${deleted}`].join('; ');
  if (deployed !== 'SUCCEEDED')
    return {
      answered,
      verdict: 'failed',
      means:
        'Serverless endpoints cannot be deployed: see denied-calls, and the account’s quota of serverless endpoints.',
    };
  if (deleted !== 'SUCCEEDED')
    return {
      answered,
      verdict: 'failed',
      means:
        'The endpoint was not deleted; idle it costs nothing: delete it in SageMaker, and report this file.',
    };
  const wrong = wrongAnswers(answers);
  if (wrong.length > 0)
    return {
      answered: `${answered}; ${wrong.map(({ sent, text }) => `${sent} said ${text}`).join('; ')}`,
      verdict: 'failed',
      means: 'A serverless endpoint does not answer through the API. Report this file.',
    };
  return {
    answered,
    verdict: 'ok',
    means: 'Serverless endpoints are deployed, answer through the API, and are deleted.',
  };
}
