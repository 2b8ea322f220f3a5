import type { RunStarted } from '../../api/api-schemas.ts';
import { bodyOf, type HttpRequest, type HttpResponse, jsonResponse } from '../../api/http-request.ts';
import { type ProblemKind, RequestProblem } from '../../api/problem-details.ts';
import { type ConditionName, isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId } from '../../run/run-id.ts';
import { isKeyTooLong } from '../../text/key-length.ts';
import { continueRun } from '../run/continue-run.ts';
import type { Repeated, RepeatServices } from '../run/repeat-manifest.ts';
import { rescore } from '../run/rescore.ts';
import type { RunServices } from './describe-run.ts';
import { askForTraining } from './trainings.ts';

/** Use cases that repeat a run, by the last part of the path. */
const REPETITIONS = { rescores: rescore, continuations: continueRun } as const;

/** The answer to each reason why a run cannot be repeated so. */
const PROBLEMS = [
  ['RunUnknown', 'unknown-run'],
  ['StillRunning', 'run-under-way'],
  ['NothingToRescore', 'nothing-to-rescore'],
  ['NothingToContinue', 'nothing-to-continue'],
  ['PredictionsExpired', 'predictions-expired'],
] as const satisfies readonly (readonly [ConditionName, ProblemKind])[];

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

/**
 * Routes `POST /runs/{pipeline}/{drop}/{generation}/rescores` and `…/continuations`: score the predictions of a run again, or
 * predict the inputs that a sampled run has left. Like the start of a training, they only take AWS's signature
 * (infra/api/gateway.yml), so there's no claim to check.
 *
 * @throws {RequestProblem} `invalid-request`, or one of `PROBLEMS`
 */
async function repeatRun(
  request: HttpRequest,
  asked: keyof typeof REPETITIONS,
  services: RepeatServices,
): Promise<Pick<Repeated, 'outcome'> & { readonly answer: RunStarted }> {
  const { pipeline = '', drop = '', generation = '' } = request.pathParameters;
  const run = parseRunId(`${pipeline}/${drop}/${generation}`);
  // A "/" within a part would name a training; and S3 refuses keys that are longer than an object's can be.
  if (run?.pipeline !== pipeline || isKeyTooLong(bucketLayout.confusionMatrix(run)))
    throw new RequestProblem(
      'invalid-request',
      `the path must be /runs/<pipeline>/<drop>/<generation>/${asked}, as in /runs/cifar10/monday/000001/${asked}`,
    );
  if (bodyOf(request).length > 0)
    throw new RequestProblem(
      'invalid-request',
      'the request must have no body: labels, classes and gate are read from the bucket, and inferdrop rescore ' +
        "--labels replaces a drop's label file",
    );
  try {
    const { run: started, outcome } = await REPETITIONS[asked]({ run }, services);
    return { outcome, answer: { run: started } };
  } catch (error) {
    for (const [name, kind] of PROBLEMS)
      if (isCondition(error, name)) throw new RequestProblem(kind, error.message);
    throw error;
  }
}
