import type { PredictAnswer } from '../../api/api-schemas.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../api/http-request.ts';
import { type Input, readInputs } from '../../api/inputs.ts';
import { labelAnswer } from '../../api/label-answer.ts';
import { MAX_ANSWER_BYTES, MAX_ANSWER_MS } from '../../api/limits.ts';
import { isImageType, toModelType, typeOfUntyped, UNTYPED } from '../../api/media-type.ts';
import { requireOpened } from '../../api/opened-pipelines.ts';
import { RequestProblem } from '../../api/problem-details.ts';
import type { FunctionModels } from '../../aws/calls/function-models.ts';
import type { Answer, Runtime } from '../../aws/sagemaker/runtime.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { liveVariant, type Served } from '../../endpoint/served.ts';
import type { Measurement } from '../../run/measurement.ts';
import { isPipelineName } from '../../run/run-id.ts';
import { toInvocationProblem } from './invocation-problem.ts';
import type { ServedFacts } from './served-facts.ts';
import { factsOf, requireServing } from './serving.ts';

interface PredictServices {
  /** Name of the claim that lists the pipelines of a token; empty if every token opens all. */
  readonly pipelinesClaim: string;
  readonly served: ServedFacts;
  readonly runtime: Runtime;
  /** Models of endpoints of type lambda. */
  readonly functions: FunctionModels;
  /** Aborts after `ms` milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
  readonly nowMs: () => number;
  /** Called with the latency and the outcome of each request that reached an endpoint. */
  readonly measure: (measurement: Measurement) => void;
}

/**
 * Inputs of one multipart request in flight. For an endpoint of type lambda it's one, so that a prediction takes two functions (a
 * new account has ten) and starts no more than it needs.
 */
const AT_ONCE = { endpoint: 8, function: 1 } as const;

/**
 * Route `POST /predict/{pipeline}`: sends each input to the pipeline's endpoint, as batch transform would have, and puts
 * the classes' names to the answers. Its body is one input, or several as `multipart/form-data`.
 *
 * @throws {RequestProblem}
 */
export async function predict(request: HttpRequest, services: PredictServices): Promise<HttpResponse> {
  try {
    return await answerRequest(request, services);
  } catch (error) {
    if (error instanceof RequestProblem && error.isPlanned) services.measure(measurePlannedWait(request));
    throw error;
  }
}

/** One figure of all pipelines, as API Gateway's 5xx are, which the alarm compares it with. */
export function measurePlannedWait({ pathParameters }: Pick<HttpRequest, 'pathParameters'>): Measurement {
  const { pipeline = '' } = pathParameters;
  return { facts: { pipeline }, groups: [{ by: [[]], values: { PlannedWaits: 1 } }] };
}

async function answerRequest(request: HttpRequest, services: PredictServices): Promise<HttpResponse> {
  const { pipeline = '' } = request.pathParameters;
  if (!isPipelineName(pipeline))
    throw new RequestProblem(
      'unknown-pipeline',
      'the path must be /predict/<pipeline>, with a pipeline that exists',
    );
  requireOpened(request, services.pipelinesClaim, pipeline);
  const raw = parseRaw(request.queryStringParameters.raw);
  const sent = readInputs(request);
  if (raw && sent.length > 1)
    throw new RequestProblem(
      'invalid-request',
      '?raw=1 gives the answer about one input: send one, not several',
    );
  const served = await requireServing(pipeline, services.served);
  const live = liveVariant(served);
  const inputs = sent.map((input) => ({
    ...input,
    essence: input.essence === UNTYPED ? typeOfUntyped(live?.contentType ?? '') : input.essence,
  }));

  const startedMs = services.nowMs();
  const signal = services.deadline(MAX_ANSWER_MS);
  const atOnce = live === undefined || live.inFunction === null ? AT_ONCE.endpoint : AT_ONCE.function;
  const answers: { readonly input: Input; readonly answer: Answer }[] = [];
  // Only for pipelines that have an endpoint: a name that a caller invents would create a metric, which is billed.
  const measure = (hasFailed: boolean): number => {
    const latencyMs = Math.round((services.nowMs() - startedMs) * 10) / 10;
    services.measure({
      facts: { pipeline },
      groups: [
        { by: [['pipeline']], values: { PredictionMs: latencyMs, PredictionFailures: Number(hasFailed) } },
      ],
    });
    return latencyMs;
  };
  try {
    for await (const [input, answer] of inOrder(inputs, atOnce, (input) =>
      invoke(services, served, input, signal),
    ))
      answers.push({ input, answer });
  } catch (error) {
    measure(!(error instanceof RequestProblem && error.kind === 'invalid-request'));
    throw error;
  }
  const latencyMs = measure(false);
  const [first] = answers;
  if (raw && first !== undefined) return rawResponse(first.answer);

  const variants = answers.map(({ answer }) => answer.variant);
  const facts = await factsOf(pipeline, served, variants, services.served);
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
        oneRecord: isImageType(input.essence),
        input: input.name,
      }),
    ),
  };
  const response = jsonResponse(200, value);
  const sizeBytes = Buffer.byteLength(response.body);
  if (sizeBytes > MAX_ANSWER_BYTES)
    throw new RequestProblem(
      'body-too-large',
      `the answer about ${value.predictions.length} records has ${sizeBytes} bytes, and an answer has at most ` +
        `${MAX_ANSWER_BYTES}: send fewer at once, or drop the file into a prefix`,
    );
  return response;
}

function parseRaw(text: string | undefined): boolean {
  if (text === undefined || text === '0' || text === 'false') return false;
  if (text === '1' || text === 'true') return true;
  throw new RequestProblem('invalid-request', 'raw must be 0 or 1');
}

async function invoke(
  services: Pick<PredictServices, 'runtime' | 'functions' | 'served'>,
  served: Served,
  input: Input,
  signal: AbortSignal,
): Promise<Answer> {
  const live = liveVariant(served);
  const { name, essence, bytes } = input;
  const contentType = toModelType(essence, live?.contentType ?? essence);
  const accept = live?.accept ?? 'application/json';
  const component = live?.component ?? undefined;
  const request = { contentType, accept, body: bytes, component, signal };
  try {
    // A pointer: the variant that has passed both tests answers, whatever is deployed meanwhile.
    if (live !== undefined && live.inFunction !== null) {
      const body = await services.functions.answer(served.pipeline, live.inFunction, request);
      return { body, contentType: accept, variant: served.live ?? '' };
    }
    return await services.runtime.invoke(served.endpointName, request);
  } catch (error) {
    // What served may have gone, or become another kind of endpoint, since this environment read it.
    const fresh = isOutdated(error) ? await services.served(served.pipeline, true) : undefined;
    if (fresh !== undefined && fresh.live !== served.live) return invoke(services, fresh, input, signal);
    throw toInvocationProblem(error, served.pipeline, name === null ? '' : `input ${JSON.stringify(name)}: `);
  }
}

/**
 * Whether SageMaker's refusal may be about what no longer serves: it names an inference component that is left out as it does a bad input,
 * and one that has been replaced has no copy.
 */
function isOutdated(error: unknown): boolean {
  const names = ['EndpointAsleep', 'EndpointMissing', 'ValidationError', 'ValidationException'];
  return error instanceof Error && names.includes(error.name);
}

function rawResponse({ body, contentType }: Answer): HttpResponse {
  if (body.length > MAX_ANSWER_BYTES)
    throw new RequestProblem(
      'unreadable-answer',
      `the container answered ${body.length} bytes, and an answer has at most ${MAX_ANSWER_BYTES}`,
    );
  return {
    statusCode: 200,
    headers: { 'content-type': contentType, 'cache-control': 'no-store' },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}
