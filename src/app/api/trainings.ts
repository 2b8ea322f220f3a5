import {
  type TrainingAsked,
  type TrainingDetails,
  type TrainingList,
  TrainingRequest,
} from '../../api/api-schemas.ts';
import { bodyOf, type HttpRequest } from '../../api/http-request.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { FIRST_GENERATION } from '../../run/generation.ts';
import { isPipelineName, parseRunId, toRunId } from '../../run/run-id.ts';
import { isKeyTooLong } from '../../text/key-length.ts';
import { parsedJson } from '../../text/parse-json.ts';
import { newestRuns, trainingFigures } from '../records/run-index.ts';
import { newestTrainingData, requestName, requestTraining } from '../run/request-training.ts';
import { linksTo, type RunServices } from './describe-run.ts';
import { readLimit } from './limit.ts';

/** Bytes of a request for a training: 100 hyperparameters of 2,500 characters, which SageMaker takes at most. */
const MAX_REQUEST_BYTES = 512 * 1024;

/**
 * Route `POST /pipelines/{pipeline}/trainings`: asks for a training by writing its drop. API Gateway takes AWS's
 * signature only here, never a token, so there is no claim to check (infra/api/gateway.yml).
 *
 * @throws {RequestProblem} `invalid-request`, `body-too-large`, `unknown-pipeline`, `no-data`
 */
export async function askForTraining(
  request: HttpRequest,
  { store, clock }: Pick<RunServices, 'store' | 'clock'>,
): Promise<TrainingAsked> {
  const { pipeline = '' } = request.pathParameters;
  const body = bodyOf(request);
  if (body.length > MAX_REQUEST_BYTES)
    throw new RequestProblem(
      'body-too-large',
      `the body must have at most ${MAX_REQUEST_BYTES} bytes, has ${body.length}`,
    );
  const text = Buffer.from(body).toString('utf8').trim();
  const asked = TrainingRequest.safeParse(text === '' ? {} : parsedJson(text));
  if (!asked.success)
    throw new RequestProblem(
      'invalid-request',
      asked.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; '),
    );
  if (
    !isPipelineName(pipeline) ||
    (await store.describe(bucketLayout.pipelineConfig(pipeline))) === undefined
  )
    throw new RequestProblem('unknown-pipeline', `there is no pipeline ${JSON.stringify(pipeline)}`);
  const data = asked.data.data ?? (await newestTrainingData(store, pipeline));
  if (data === undefined)
    throw new RequestProblem(
      'no-data',
      `${pipeline} has not been trained yet: name the data, as in {"data": "s3://bucket/prefix/"}`,
    );
  // A drop of its own, which has no generation yet.
  const drop = requestName(clock());
  const run = { kind: 'training', pipeline, drop, generation: FIRST_GENERATION } as const;
  const { hyperparameters } = asked.data;
  await requestTraining(store, run, { data, hyperparameters });
  return { training: toRunId(run), data };
}

/**
 * Route `GET /pipelines/{pipeline}/trainings`: trainings that have ended, newest first.
 *
 * @param requireOpen throws where the caller may not ask the pipeline
 * @throws {RequestProblem} `invalid-request`
 */
export async function listTrainings(
  { pathParameters: { pipeline = '' }, queryStringParameters: { limit } }: HttpRequest,
  store: ObjectStore,
  requireOpen: (pipeline: string) => void,
): Promise<TrainingList> {
  if (!isPipelineName(pipeline))
    throw new RequestProblem('invalid-request', 'the path must be /pipelines/<pipeline>/trainings');
  requireOpen(pipeline);
  const found = await Array.fromAsync(newestRuns(store, 'training', pipeline, readLimit(limit)));
  return {
    trainings: found.map(({ run, status, endedAt, total, accuracy, costUsd, gate }) => ({
      training: run,
      status,
      endedAt,
      files: total,
      accuracy,
      costUsd,
      gate,
    })),
  };
}

/**
 * Route `GET /trainings/{pipeline}/{drop}/{generation}`: how a training stands or ended, with links to its report.
 *
 * @param requireOpen throws where the caller may not ask the pipeline
 * @throws {RequestProblem} `unknown-training`
 */
export async function describeTraining(
  { pipeline = '', drop = '', generation = '' }: Readonly<Record<string, string>>,
  { store, links, linkSeconds, clock }: RunServices,
  requireOpen: (pipeline: string) => void,
): Promise<TrainingDetails> {
  const run = parseRunId(`training/${pipeline}/${drop}/${generation}`);
  if (run === undefined || isKeyTooLong(bucketLayout.reportHtml(run)))
    throw new RequestProblem(
      'unknown-training',
      'the path must be /trainings/<pipeline>/<drop>/<generation> of a training that exists',
    );
  requireOpen(run.pipeline);
  const training = toRunId(run);
  const figures = await trainingFigures(run).read(store);
  if (figures === undefined) {
    if ((await store.describe(bucketLayout.freezing(run))) === undefined)
      throw new RequestProblem(
        'unknown-training',
        `${training} does not exist, or still waits for its drop to become quiet`,
      );
    const nothing = { costUsd: null, gate: null, accuracy: null, promotion: null, modelSha256: null };
    return { training, status: 'running', ...nothing, links: {}, linksExpireAt: null };
  }
  const { status, costUsd, evaluation, promotion, lineage } = figures;
  const files = [bucketLayout.reportHtml(run), bucketLayout.reportJson(run), bucketLayout.summary(run)];
  return {
    training,
    status,
    costUsd,
    gate: evaluation?.verdict ?? null,
    accuracy: evaluation?.accuracy ?? null,
    promotion: promotion?.promotion ?? null,
    modelSha256: lineage.model?.sha256 ?? null,
    links: await linksTo(store, files, links),
    linksExpireAt: new Date(clock().getTime() + linkSeconds * 1000).toISOString(),
  };
}
