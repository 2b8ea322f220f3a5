import { MAX_ANSWER_MS } from '../../api/limits.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { noEndpoint } from './serving.ts';

const BUSY_SECONDS = 2;
/** An instance and the model's container take minutes; a caller who asks so rarely does not ring the alarm of the API's errors. */
const WAKING_SECONDS = 60;

/** Whether a container has refused a request by the status for what is too large. */
function isTooLarge(error: Error): boolean {
  return 'status' in error && error.status === 413;
}

/**
 * The problem to answer for a failed invocation; an unexpected error is passed on unchanged. `where` precedes the detail:
 * which of several inputs failed.
 */
export function toInvocationProblem(error: unknown, pipeline: string, where: string): unknown {
  if (!(error instanceof Error)) return error;
  const wait = (
    kind: 'endpoint-not-ready',
    detail: string,
    retryAfterSeconds = BUSY_SECONDS,
  ): RequestProblem => new RequestProblem(kind, `${where}${detail}`, { retryAfterSeconds });
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
      return wait('endpoint-not-ready', 'the model is being loaded');
    case 'EndpointAsleep':
      return wait(
        'endpoint-not-ready',
        'the endpoint is asleep and begins to wake, which takes minutes',
        WAKING_SECONDS,
      );
    case 'Throttled':
      return wait('endpoint-not-ready', 'the endpoint has more requests than it can answer');
    case 'ServiceUnavailable':
    case 'InternalError':
    case 'InternalDependencyException':
    case 'NetworkingError':
      return wait('endpoint-not-ready', 'SageMaker is not available');
    default:
      return error;
  }
}
