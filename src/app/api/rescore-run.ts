import type { RescoreStarted } from '../../api/api-schemas.ts';
import { bodyOf, type HttpRequest } from '../../api/http-request.ts';
import { type ProblemKind, RequestProblem } from '../../api/problem-details.ts';
import { type ConditionName, isCondition } from '../../problem/conditions.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { parseRunId } from '../../run/run-id.ts';
import type { RepeatServices } from '../run/repeat-manifest.ts';
import { rescore } from '../run/rescore.ts';
import { MAX_KEY_BYTES } from './describe-run.ts';

/** The answer to each reason why a run cannot be scored again. */
const PROBLEMS = [
  ['RunUnknown', 'unknown-run'],
  ['StillRunning', 'run-under-way'],
  ['NothingToRescore', 'nothing-to-rescore'],
  ['PredictionsExpired', 'predictions-expired'],
] as const satisfies readonly (readonly [ConditionName, ProblemKind])[];

/**
 * Route `POST /runs/{pipeline}/{drop}/{generation}/rescores`: scores the predictions of a run again. Like the start of a training it
 * takes AWS's signature alone (infra/api/gateway.yml), so there is no claim to check.
 *
 * @throws {RequestProblem} `invalid-request`, or one of `PROBLEMS`
 */
export async function rescoreRun(request: HttpRequest, services: RepeatServices): Promise<RescoreStarted> {
  const { pipeline = '', drop = '', generation = '' } = request.pathParameters;
  const run = parseRunId(`${pipeline}/${drop}/${generation}`);
  // A "/" within a part would name a training; and S3 refuses keys that are longer than an object's can be.
  if (run?.pipeline !== pipeline || Buffer.byteLength(bucketLayout.confusionMatrix(run)) > MAX_KEY_BYTES)
    throw new RequestProblem(
      'invalid-request',
      'the path must be /runs/<pipeline>/<drop>/<generation>/rescores, as in /runs/cifar10/monday/000001/rescores',
    );
  if (bodyOf(request).length > 0)
    throw new RequestProblem(
      'invalid-request',
      "the request must have no body: labels, classes and gate are read from the bucket, and inferdrop rescore --labels replaces a drop's label file",
    );
  try {
    return await rescore({ run }, services);
  } catch (error) {
    for (const [name, kind] of PROBLEMS)
      if (isCondition(error, name)) throw new RequestProblem(kind, error.message);
    throw error;
  }
}
