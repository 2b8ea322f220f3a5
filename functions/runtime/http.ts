import { HttpRequest, type HttpResponse } from '../../src/api/http-request.ts';
import { problemResponse, RequestProblem } from '../../src/api/problem-details.ts';
import { withErrorNames } from '../../src/aws/calls/aws-error.ts';
import { logAbout, logger } from './logger.ts';
import { once } from './once.ts';
import { parse } from './parse.ts';
import type { Handler } from './step.ts';
import { subjectOf } from './subject.ts';

/**
 * The handler of routes. The use case answers or throws a problem; `services` is called at the first invocation of an execution
 * environment. Errors are answered in the one shape of problems; an unexpected one is logged, and answered without its message.
 * Neither body nor answer is ever logged, and success has no log line: the API's access log has one for every request.
 */
export function http<S>(
  useCase: (request: HttpRequest, services: S) => Promise<HttpResponse>,
  services: () => S,
): Handler<unknown, HttpResponse> {
  const built = once(services);
  return async (event: unknown): Promise<HttpResponse> => {
    logAbout(subjectOf(event));
    const request = parse('InvalidHttpEvent', HttpRequest, event);
    try {
      return await withErrorNames(useCase(request, built()));
    } catch (error) {
      if (error instanceof RequestProblem) {
        logger.info('REQUEST_REFUSED', { routeKey: request.routeKey, kind: error.kind });
        return problemResponse(error);
      }
      logger.error('REQUEST_FAILED', {
        routeKey: request.routeKey,
        errorName: error instanceof Error ? error.name : typeof error,
        errorMessage: error instanceof Error ? error.message : '',
        stack: error instanceof Error ? error.stack : '',
      });
      return problemResponse(
        new RequestProblem('internal-error', 'an unexpected error; the log of the function has its name'),
      );
    }
  };
}
