import type { Finding } from './finding.ts';

/** Outcome of a verification's endpoint. */
export interface StackEndpointFacts {
  /** Final states of the executions that deployed and deleted it, with error and cause where they have them. */
  readonly deployed: string;
  readonly deleted: string;
  /** Final state of the execution that updated it to another model; undefined where nothing was deployed. */
  readonly updated?: string | undefined;
  /** Status and number of predictions of each answer of the API. */
  readonly answers: readonly EndpointAnswer[];
  /** Answer to a body above the API's limit. */
  readonly tooLarge?: { readonly status: number; readonly text: string } | undefined;
  /** Answer to an input that keeps the model busy for longer than the API waits. */
  readonly slow?: { readonly status: number; readonly text: string } | undefined;
}

/** An answer of the API, and the number of predictions that it should have. */
export interface EndpointAnswer {
  readonly sent: string;
  readonly status: number;
  readonly predictions: number;
  readonly expected: number;
  readonly text: string;
}

/** Answers that are not predictions, or have another number of them. */
export function wrongAnswers(answers: readonly EndpointAnswer[]): readonly EndpointAnswer[] {
  return answers.filter(({ status, predictions, expected }) => status !== 200 || predictions !== expected);
}

/** Whether an endpoint with autoscaling can be deployed, answers through the API, is updated, and is deleted. */
export function judgeStackEndpoint(facts: StackEndpointFacts): Finding {
  const { deployed, updated, deleted, answers, tooLarge, slow } = facts;
  const wrong = wrongAnswers(answers);
  const said = answers.map(
    ({ sent, status, predictions }) => `${sent}: ${status} with ${predictions} predictions`,
  );
  const answered = [
    `deployment ${deployed}`,
    ...said,
    ...(tooLarge === undefined ? [] : [`a body that is too large: ${tooLarge.status} ${tooLarge.text}`]),
    ...(slow === undefined ? [] : [`an answer that takes 32 seconds: ${slow.status} ${slow.text}`]),
    ...(updated === undefined ? [] : [`update ${updated}`]),
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
      means: 'Bodies do not reach the model unchanged: predictions through the API fail. Report this file.',
    };
  if (updated !== undefined && updated !== 'SUCCEEDED')
    return {
      answered,
      verdict: 'failed',
      means:
        'An endpoint in service cannot be updated: later runs do not replace it. See denied-calls, and the messages of the endpoint.',
    };
  if (slow !== undefined && slow.status !== 504)
    return {
      answered,
      verdict: 'warning',
      means: 'Callers of the API see another answer than a 504 with its reason where a model takes too long.',
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
      'Endpoints are deployed with autoscaling, answer binary and text bodies through the API, are updated, and deleted.',
  };
}
