import document from '../../../docs/openapi.json' with { type: 'json' };
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../api/http-request.ts';
import { openedPipelines, requireOpened } from '../../api/opened-pipelines.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import { describeRun, type RunServices } from './describe-run.ts';
import { listPipelines } from './list-pipelines.ts';
import { listRuns } from './list-runs.ts';
import { describeTraining, listTrainings } from './trainings.ts';

interface ApiServices extends RunServices {
  /** Name of the claim that lists the pipelines of a token; empty if every token opens all. */
  readonly pipelinesClaim: string;
}

/**
 * The routes that read: pipelines, runs and trainings with links to their reports, and the OpenAPI document; `routeKey` chooses
 * among them.
 *
 * @throws {RequestProblem}
 */
export async function api(request: HttpRequest, services: ApiServices): Promise<HttpResponse> {
  const require = (pipeline: string): void => requireOpened(request, services.pipelinesClaim, pipeline);
  switch (request.routeKey) {
    case 'GET /pipelines':
      return jsonResponse(
        200,
        await listPipelines(services.store, openedPipelines(request, services.pipelinesClaim)),
      );
    case 'GET /runs':
      return jsonResponse(200, await listRuns(services.store, request.queryStringParameters, require));
    case 'GET /runs/{pipeline}/{drop}/{generation}':
      return jsonResponse(200, await describeRun(request.pathParameters, services, require));
    case 'GET /pipelines/{pipeline}/trainings':
      return jsonResponse(200, await listTrainings(request, services.store, require));
    case 'GET /trainings/{pipeline}/{drop}/{generation}':
      return jsonResponse(200, await describeTraining(request.pathParameters, services, require));
    case 'GET /openapi.json':
      return jsonResponse(200, document);
    default:
      throw new RequestProblem('unknown-route', `${request.routeKey} is not a route of this API`);
  }
}
