import type { Answer, ContainerError, Runtime } from '../../aws/runtime.ts';
import { isPipelineName } from '../../drop/run-id.ts';
import type { Served, ServedVariant } from '../../endpoint/served.ts';
import type { PredictAnswer } from '../../predict/api-schemas.ts';
import { bodyOf, HttpRequest, jsonResponse } from '../../predict/http-request.ts';
import type { HttpResponse } from '../../predict/http-request.ts';
import { labelAnswer } from '../../predict/label-answer.ts';
import {
  LARGEST_ANSWER_BYTES,
  LARGEST_BODY_BYTES,
  LONGEST_ANSWER_MS,
  MOST_INPUTS,
} from '../../predict/limits.ts';
import type { MediaType } from '../../predict/media-type.ts';
import { parseMediaType, toModelType } from '../../predict/media-type.ts';
import { parseMultipart } from '../../predict/multipart.ts';
import { RequestProblem } from '../../predict/problem-details.ts';
import { inOrder } from '../run/in-order.ts';
import type { ServedFacts } from './served-facts.ts';

export const PredictInput = HttpRequest;

export interface PredictServices {
  readonly served: ServedFacts;
  readonly runtime: Runtime;
  /** Ends after so many ms. */
  readonly deadline: (ms: number) => AbortSignal;
  readonly nowMs: () => number;
}

/** One request to the container. */
interface Input {
  readonly name: string | null;
  readonly essence: string;
  readonly bytes: Uint8Array;
}

/** Invocations of one multipart request that are under way at once. */
const AT_ONCE = 8;
const NOT_READY_SECONDS = 30;
const BUSY_SECONDS = 2;

/**
 * Route `POST /predict/{pipeline}`: sends each input to the pipeline's endpoint, as batch transform would have, and puts
 * the classes' names to the answers.
 *
 * @throws {RequestProblem}
 */
export async function predict(request: HttpRequest, services: PredictServices): Promise<HttpResponse> {
  const { pipeline = '' } = request.pathParameters;
  if (!isPipelineName(pipeline))
    throw new RequestProblem(
      'unknown-pipeline',
      'the path must be /predict/<pipeline>, with a pipeline that exists',
    );
  const raw = parseRaw(request.queryStringParameters.raw);
  const inputs = readInputs(request);
  if (raw && inputs.length > 1)
    throw new RequestProblem(
      'invalid-request',
      '?raw=1 gives the answer about one input: send one, not several',
    );
  const served = await requireServing(pipeline, services);

  const startedMs = services.nowMs();
  const signal = services.deadline(LONGEST_ANSWER_MS);
  const answers: { readonly input: Input; readonly answer: Answer }[] = [];
  for await (const [input, answer] of inOrder(inputs, AT_ONCE, (input) =>
    invoke(services.runtime, served, input, signal),
  ))
    answers.push({ input, answer });
  const latencyMs = Math.round((services.nowMs() - startedMs) * 10) / 10;
  const [first] = answers;
  if (raw && first !== undefined) return rawResponse(first.answer);

  const variants = answers.map(({ answer }) => answer.variant);
  const facts = await factsOf(pipeline, served, variants, services);
  const variant = variants[0] ?? '';
  const { run, modelName, modelSha256 } = facts(variant);
  const value: PredictAnswer = {
    pipeline,
    run,
    model: { name: modelName, sha256: modelSha256 },
    variant,
    latencyMs,
    predictions: answers.flatMap(({ input, answer }) =>
      labelAnswer(answer.body, facts(answer.variant), {
        oneRecord: input.essence === 'application/x-image' || input.essence.startsWith('image/'),
        input: input.name,
      }),
    ),
  };
  return jsonResponse(200, value);
}

function parseRaw(text: string | undefined): boolean {
  if (text === undefined || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw new RequestProblem('invalid-request', 'raw must be 0 or 1');
}

function readInputs(request: HttpRequest): readonly Input[] {
  const bytes = bodyOf(request);
  if (bytes.length > LARGEST_BODY_BYTES) {
    const detail = `the body must have at most ${LARGEST_BODY_BYTES} bytes, has ${bytes.length}: drop larger files into a prefix instead`;
    throw new RequestProblem('body-too-large', detail);
  }
  const media = parseMediaType(request.headers['content-type']);
  const inputs = toInputs(bytes, media);
  for (const input of inputs) {
    if (input.bytes.length > 0) continue;
    const what = input.name === null ? 'the body' : `part ${JSON.stringify(input.name)}`;
    throw new RequestProblem('invalid-request', `${what} must not be empty`);
  }
  return inputs;
}

function toInputs(bytes: Uint8Array, { kind, essence, boundary }: MediaType): readonly Input[] {
  if (kind !== 'multipart' || boundary === undefined) return [{ name: null, essence, bytes }];
  return parseMultipart(bytes, boundary, MOST_INPUTS).map((part) => ({
    name: part.name,
    // Clients name the type of a file as they please; an image without one is an image.
    essence: part.contentType.startsWith('image/') ? part.contentType : 'application/x-image',
    bytes: part.bytes,
  }));
}

async function requireServing(pipeline: string, { served: facts }: PredictServices): Promise<Served> {
  const known = await facts(pipeline);
  const found = known?.status === 'in-service' ? known : await facts(pipeline, true);
  if (found === undefined || found.status === 'deleting') throw noEndpoint(pipeline);
  if (found.status === 'creating') {
    const detail = `the endpoint of ${pipeline} is being created: ask again in ${NOT_READY_SECONDS} seconds`;
    throw new RequestProblem('endpoint-not-ready', detail, { retryAfterSeconds: NOT_READY_SECONDS });
  }
  return found;
}

function noEndpoint(pipeline: string): RequestProblem {
  const detail = `nothing serves ${pipeline}. Deploy its newest run with: inferdrop endpoints deploy ${pipeline}`;
  return new RequestProblem('no-endpoint', detail);
}

async function invoke(
  runtime: Runtime,
  served: Served,
  { name, essence, bytes }: Input,
  signal: AbortSignal,
): Promise<Answer> {
  const live = served.live === null ? undefined : served.variants[served.live];
  const contentType = toModelType(essence, live?.contentType ?? essence);
  const accept = live?.accept ?? 'application/json';
  try {
    return await runtime.invoke(served.endpointName, { contentType, accept, body: bytes, signal });
  } catch (error) {
    throw toProblem(error, served.pipeline, name === null ? '' : `input ${JSON.stringify(name)}: `);
  }
}

function toProblem(error: unknown, pipeline: string, where: string): unknown {
  if (!(error instanceof Error)) return error;
  const wait = (kind: 'endpoint-not-ready', detail: string): RequestProblem =>
    new RequestProblem(kind, `${where}${detail}`, { retryAfterSeconds: BUSY_SECONDS });
  switch (error.name) {
    case 'ModelError':
      return new RequestProblem('model-error', `${where}${containerWords(error)}`);
    case 'EndpointMissing':
      return noEndpoint(pipeline);
    case 'InvocationAborted':
    case 'TimeoutError':
      return new RequestProblem(
        'answer-timeout',
        `${where}the model has not answered within ${LONGEST_ANSWER_MS / 1000} seconds: send less at once, or drop the files into a prefix`,
      );
    case 'ValidationError':
    case 'ValidationException':
      return new RequestProblem('invalid-request', `${where}SageMaker refused the request: ${error.message}`);
    case 'ModelNotReady':
      return wait('endpoint-not-ready', 'the model is being loaded');
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

function containerWords(error: Error): string {
  return isContainerError(error)
    ? `the container answered ${error.status ?? 'an error'}: ${error.said}`
    : error.message;
}

function isContainerError(error: Error): error is ContainerError {
  return 'said' in error && 'status' in error;
}

/** During an update two variants answer; one that is not known yet has been added since the facts were read. */
async function factsOf(
  pipeline: string,
  served: Served,
  variants: readonly string[],
  { served: read }: PredictServices,
): Promise<(variant: string) => ServedVariant> {
  const isKnown = variants.every((variant) => served.variants[variant] !== undefined);
  const current = isKnown ? served : await read(pipeline, true);
  return (variant) => {
    const found = current?.variants[variant];
    if (found !== undefined) return found;
    throw Object.assign(new Error(`variant ${variant} of ${served.endpointName} is not in served.json`), {
      name: 'VariantUnknown',
    });
  };
}

function rawResponse({ body, contentType }: Answer): HttpResponse {
  if (body.length > LARGEST_ANSWER_BYTES)
    throw new RequestProblem(
      'unreadable-answer',
      `the container answered ${body.length} bytes, and an answer has at most ${LARGEST_ANSWER_BYTES}`,
    );
  return {
    statusCode: 200,
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}
