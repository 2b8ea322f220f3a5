import document from '../../../docs/openapi.json' with { type: 'json' };
import type { PipelineList, RunList } from '../../api/api-schemas.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../api/http-request.ts';
import { openedPipelines, requireOpened } from '../../api/opened-pipelines.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { liveVariant } from '../../endpoint/served.ts';
import { isPipelineName } from '../../run/run-id.ts';
import { configuredPipelines } from '../records/configured-pipelines.ts';
import { servedJson } from '../records/endpoint.ts';
import { newestRuns } from '../records/run-index.ts';
import { describeRun, type RunServices } from './describe-run.ts';
import { readLimit } from './limit.ts';
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

/** Route `GET /pipelines`: every configured pipeline that the caller may use, and its endpoint. */
async function listPipelines(
  store: ObjectStore,
  isOpen: (pipeline: string) => boolean,
): Promise<PipelineList> {
  const names = await configuredPipelines(store);
  const pipelines = names.filter(isOpen).map(async (pipeline) => {
    const served = await servedJson(pipeline).read(store);
    const live = liveVariant(served);
    const endpoint =
      served === undefined
        ? null
        : {
            name: served.endpointName,
            status: served.status,
            run: live?.deployedBy ?? null,
            hardware: live?.hardware ?? null,
            deployedAt: served.deployedAt,
            expiresAt: served.expiresAt,
          };
    return { pipeline, endpoint };
  });
  return { pipelines: await Promise.all(pipelines) };
}

/**
 * Route `GET /runs`: runs of a pipeline that have ended, newest first.
 *
 * @param requireOpen throws if the caller may not use the pipeline
 * @throws {RequestProblem} `invalid-request`
 */
async function listRuns(
  store: ObjectStore,
  { pipeline, limit }: Readonly<Record<string, string>>,
  requireOpen: (pipeline: string) => void,
): Promise<RunList> {
  if (pipeline === undefined || !isPipelineName(pipeline))
    throw new RequestProblem(
      'invalid-request',
      'pipeline must name a pipeline, as in /runs?pipeline=cifar10',
    );
  requireOpen(pipeline);
  const most = readLimit(limit);
  const runs = await Array.fromAsync(newestRuns(store, 'inference', pipeline, most));
  return { runs: runs.map(({ schema: _, ...line }) => line) };
}
