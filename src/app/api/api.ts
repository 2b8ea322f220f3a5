import document from '../../../docs/openapi.json' with { type: 'json' };
import type { HttpResponse } from '../../predict/http-request.ts';
import { HttpRequest, jsonResponse } from '../../predict/http-request.ts';
import { RequestProblem } from '../../predict/problem-details.ts';
import type { RunServices } from './describe-run.ts';
import { describeRun } from './describe-run.ts';
import { listPipelines } from './list-pipelines.ts';
import { listRuns } from './list-runs.ts';

export const ApiInput = HttpRequest;

/**
 * The routes that only read: pipelines, runs, one run with links to its report, and the OpenAPI document.
 *
 * @throws {RequestProblem}
 */
export async function api(request: HttpRequest, services: RunServices): Promise<HttpResponse> {
  switch (request.routeKey) {
    case 'GET /pipelines':
      return jsonResponse(200, await listPipelines(services.store));
    case 'GET /runs':
      return jsonResponse(200, await listRuns(services.store, request.queryStringParameters));
    case 'GET /runs/{pipeline}/{drop}/{generation}':
      return jsonResponse(200, await describeRun(request.pathParameters, services));
    case 'GET /openapi.json':
      return jsonResponse(200, document);
    default:
      throw new RequestProblem('unknown-route', `${request.routeKey} is no route of this API`);
  }
}
