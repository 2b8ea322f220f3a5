import { type HttpRequest, type HttpResponse, jsonResponse } from '../../api/http-request.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { RepeatServices } from '../run/repeat-manifest.ts';
import type { RunServices } from './describe-run.ts';
import { repeatRun } from './repeat-run.ts';
import { askForTraining } from './trainings.ts';

/**
 * The routes that start something: a training, a rescore, the rest of a sample. They have a function of their own, so that the one
 * that answers holders of a token can start nothing and write nothing. 202: it has been started; 200: an equal one is there.
 *
 * @throws {RequestProblem}
 */
export async function apiStart(
  request: HttpRequest,
  services: RepeatServices & Pick<RunServices, 'clock'>,
): Promise<HttpResponse> {
  switch (request.routeKey) {
    case 'POST /pipelines/{pipeline}/trainings':
      return jsonResponse(202, await askForTraining(request, services));
    case 'POST /runs/{pipeline}/{drop}/{generation}/rescores':
      return repeated(await repeatRun(request, 'rescores', services));
    case 'POST /runs/{pipeline}/{drop}/{generation}/continuations':
      return repeated(await repeatRun(request, 'continuations', services));
    default:
      throw new RequestProblem('unknown-route', `${request.routeKey} is not a route of this API`);
  }
}

function repeated({ outcome, answer }: Awaited<ReturnType<typeof repeatRun>>): HttpResponse {
  return jsonResponse(outcome === 'started' ? 202 : 200, answer);
}
