import type { Finding } from './finding.ts';

/** What became of the endpoint of a verification. */
export interface StackEndpointFacts {
  /** Ends of the executions that deployed and deleted it, with error and cause where they have them. */
  readonly deployed: string;
  readonly deleted: string;
  /** Status and number of predictions of each answer of the API. */
  readonly answers: readonly {
    readonly sent: string;
    readonly status: number;
    readonly predictions: number;
    readonly expected: number;
    readonly text: string;
  }[];
  /** Answer to a body above the API's limit. */
  readonly tooLarge: { readonly status: number; readonly text: string } | undefined;
}

/** Whether an endpoint with autoscaling comes to be, answers through the API, and goes. */
export function judgeStackEndpoint({ deployed, deleted, answers, tooLarge }: StackEndpointFacts): Finding {
  const wrong = answers.filter(
    ({ status, predictions, expected }) => status !== 200 || predictions !== expected,
  );
  const said = answers.map(
    ({ sent, status, predictions }) => `${sent}: ${status} with ${predictions} predictions`,
  );
  const answered = [
    `deployment ${deployed}`,
    ...said,
    ...(tooLarge === undefined ? [] : [`a body that is too large: ${tooLarge.status} ${tooLarge.text}`]),
    `deletion ${deleted}`,
  ].join('; ');
  if (deployed !== 'SUCCEEDED')
    return {
      answered,
      verdict: 'failed',
      means:
        'Endpoints with autoscaling cannot be deployed: see denied-calls and role-permissions, and the messages of the endpoint.',
    };
  if (deleted !== 'SUCCEEDED')
    return {
      answered,
      verdict: 'failed',
      means: 'The endpoint was not deleted and costs money: delete it in SageMaker, and report this file.',
    };
  if (wrong.length > 0)
    return {
      answered: `${answered}; ${wrong.map(({ sent, text }) => `${sent} said ${text}`).join('; ')}`,
      verdict: 'failed',
      means:
        'Bodies do not reach the model as they were sent: predictions through the API fail. Report this file.',
    };
  if (tooLarge !== undefined && tooLarge.status !== 413)
    return {
      answered,
      verdict: 'warning',
      means: 'Callers of the API see another status than 413 for bodies that are too large.',
    };
  return {
    answered,
    verdict: 'ok',
    means:
      'Endpoints are deployed with autoscaling, answer binary and text bodies through the API, and are deleted.',
  };
}
