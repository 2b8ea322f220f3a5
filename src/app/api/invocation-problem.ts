import { MAX_ANSWER_MS } from '../../api/limits.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { noEndpoint } from './serving.ts';

const BUSY_SECONDS = 2;
/** An instance and the model's container take minutes. */
const WAKING_SECONDS = 60;

/** Whether a container has refused a request with the status for a payload that's too large. */
function isTooLarge(error: Error): boolean {
  return 'status' in error && error.status === 413;
}

/**
 * The problem to answer for a failed invocation; an unexpected error is passed on unchanged. `where` precedes the detail:
 * which of several inputs failed.
 */
export function toInvocationProblem(error: unknown, pipeline: string, where: string): unknown {
  if (!(error instanceof Error)) return error;
  const wait = (detail: string, retryAfterSeconds: number, isPlanned: boolean): RequestProblem =>
    new RequestProblem('endpoint-not-ready', `${where}${detail}`, { retryAfterSeconds, isPlanned });
  switch (error.name) {
    case 'ModelError':
    case 'RunFileMissing': // The archive of a model in a function has been deleted; the message says what to do.
      return new RequestProblem(
        isTooLarge(error) ? 'body-too-large' : 'model-error',
        `${where}${error.message}`,
      );
    case 'EndpointMissing':
      return noEndpoint(pipeline);
    case 'InvocationAborted':
    case 'TimeoutError':
      return new RequestProblem(
        'answer-timeout',
        `${where}the model has not answered within ${MAX_ANSWER_MS / 1000} seconds: send less at once, or drop the files into a prefix`,
      );
    case 'ValidationError':
    case 'ValidationException':
      return new RequestProblem('invalid-request', `${where}SageMaker refused the request: ${error.message}`);
    case 'ModelNotReady':
      return wait('the model is being loaded', BUSY_SECONDS, true);
    case 'EndpointAsleep':
      return wait('the endpoint is asleep and begins to wake, which takes minutes', WAKING_SECONDS, true);
    case 'Throttled':
      return wait('the endpoint has more requests than it can answer', BUSY_SECONDS, true);
    case 'ServiceUnavailable':
    case 'InternalError':
    case 'InternalDependencyException':
    case 'NetworkingError':
      return wait('SageMaker is not available', BUSY_SECONDS, false);
    default:
      return error;
  }
}
