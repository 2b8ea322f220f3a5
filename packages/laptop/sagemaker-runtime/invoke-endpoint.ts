import { ContainerExited } from '@inferdrop/model-container/container';
import { AwsError, validationError } from '../kernel/aws-error.ts';
import type { MetricWriter } from '../kernel/ports.ts';
import type { ServiceRequest, Site } from '../kernel/service.ts';
import type { Components } from '../sagemaker/component/components.ts';
import { EndpointFailure } from '../sagemaker/endpoint/endpoint-failure.ts';
import type { VariantAnswer, VariantFleet } from '../sagemaker/endpoint/variant-fleet.ts';
import { NoAnswer } from '../sagemaker/jobs/invoke-container.ts';
import { toContainerHeaders, toResponseHeaders } from './invocation-headers.ts';
import { toModelError } from './model-error.ts';

/** Finds the variant that answers; undefined if the endpoint is not in service, or has no such variant. */
export type RouteToVariant = (
  endpointName: string,
  variantName: string | undefined,
) => VariantFleet | undefined;

/** Finds the copies of inference components. */
export type ComponentRoutes = Pick<Components, 'hosts' | 'pick'>;

interface InvokeOptions {
  readonly site: Site;
  readonly route: RouteToVariant;
  readonly components: ComponentRoutes;
  readonly metrics: MetricWriter;
}

interface InvocationResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Limit of an answer to a caller. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;
const TIMED_OUT =
  'Your invocation timed out while waiting for a response from container primary. Review the latency metrics for each ' +
  'container in Amazon CloudWatch, resolve the issue, and try again.';

/**
 * Sends a request to a container of the endpoint, and gives back what it answered.
 *
 * @throws {AwsError} `ValidationError`, `ModelError`, `ModelNotReadyException`, `ThrottlingException`, `ServiceUnavailable`
 */
export async function invokeEndpoint(
  options: InvokeOptions,
  endpointName: string,
  request: ServiceRequest,
): Promise<InvocationResponse> {
  const startedMs = performance.now();
  const body = await request.body();
  const headers = toContainerHeaders(request.headers);
  const { fleet, dimensions, perTarget } = requireTarget(options, endpointName, request.headers);
  if (body.length > fleet.largestBody)
    throw validationError(
      `1 validation error detected: Value at 'body' failed to satisfy constraint: Member must have length less than ` +
        `or equal to ${fleet.largestBody}`,
    );
  const measured = measure(options.metrics, { dimensions, perTarget }, startedMs);
  let answer: VariantAnswer;
  try {
    answer = await fleet.invoke({ body, headers });
  } catch (error) {
    const known = toInvocationError(options.site, endpointName, error);
    measured(known.statusCode === 424 ? 500 : known.statusCode, undefined);
    throw known;
  }
  measured(answer.status, answer.modelLatencyMs);
  if (answer.status < 200 || answer.status >= 300)
    throw toModelError(options.site, endpointName, answer.status, readableText(answer.body));
  if (answer.body.length > MAX_ANSWER_BYTES)
    throw toModelError(options.site, endpointName, answer.status, undefined);
  return {
    headers: toResponseHeaders(answer.headers, fleet.variant.settings.VariantName),
    body: answer.body,
  };
}

/** Who answers, and how its invocations are counted. */
interface Target {
  readonly fleet: VariantFleet;
  readonly dimensions: Readonly<Record<string, string>>;
  /** The metric that counts the invocations of each instance or copy; none for serverless variants. */
  readonly perTarget: Readonly<Record<string, number>>;
}

function requireTarget(
  options: InvokeOptions,
  endpointName: string,
  headers: Readonly<Record<string, string>>,
): Target {
  const component = headers['x-amzn-sagemaker-inference-component'];
  const isHost = options.components.hosts(endpointName);
  if (component !== undefined) return requireComponent(options, endpointName, component, isHost);
  if (isHost)
    throw validationError(
      'Inference Component Name header is required for endpoints to which you plan to deploy inference components. ' +
        'Please include Inference Component Name header or consider using SageMaker models.',
    );
  const fleet = requireVariant(options, endpointName, headers['x-amzn-sagemaker-target-variant']);
  const { settings, instanceCount } = fleet.variant;
  return {
    fleet,
    dimensions: { EndpointName: endpointName, VariantName: settings.VariantName },
    perTarget: instanceCount === undefined ? {} : { InvocationsPerInstance: 1 / instanceCount },
  };
}

/** The words for a component without copies are from AWS's announcement of scaling to zero; AWS's words for a missing one aren't known. */
function requireComponent(
  { site, route, components, metrics }: InvokeOptions,
  endpointName: string,
  name: string,
  isHost: boolean,
): Target {
  const dimensions = { InferenceComponentName: name };
  if (!isHost && route(endpointName, undefined))
    throw validationError(`Endpoint ${endpointName} hosts no inference components.`);
  const found = components.pick(endpointName, name);
  if (found === undefined)
    throw validationError(
      `Inference Component ${name} of Endpoint ${endpointName} of account ${site.account} not found.`,
    );
  if (found === 'no-capacity') {
    metrics.put('AWS/SageMaker', dimensions, { NoCapacityInvocationFailures: 1 });
    throw validationError(
      'Inference Component has no capacity to process this request. ApplicationAutoScaling may be in-progress (if ' +
        'configured) or try to increase the capacity by invoking UpdateInferenceComponentRuntimeConfig API.',
    );
  }
  return { fleet: found.fleet, dimensions, perTarget: { InvocationsPerCopy: 1 / found.copies } };
}

function requireVariant(
  { site, route }: InvokeOptions,
  endpointName: string,
  variantName: string | undefined,
): VariantFleet {
  const fleet = route(endpointName, variantName);
  if (fleet) return fleet;
  throw validationError(
    variantName !== undefined && route(endpointName, undefined)
      ? `Variant ${variantName} not found for Endpoint ${endpointName} of account ${site.account}`
      : `Endpoint ${endpointName} of account ${site.account} not found.`,
  );
}

/** @throws whatever is a defect of the stack itself */
function toInvocationError(site: Site, endpointName: string, error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof NoAnswer)
    return toModelError(site, endpointName, 0, error.timedOut ? TIMED_OUT : undefined);
  if (error instanceof EndpointFailure)
    return new AwsError('ServiceUnavailable', error.message, { statusCode: 503 });
  if (error instanceof Error && error.name === 'AbortError')
    return new AwsError('ServiceUnavailable', 'The endpoint is being stopped.', { statusCode: 503 });
  // The container ended with the request in its hands.
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (error instanceof ContainerExited || BROKEN.has(String(code)))
    return toModelError(site, endpointName, 0, undefined);
  throw error;
}

const BROKEN = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE']);

function readableText(body: Buffer): string | undefined {
  const text = body.toString('utf8');
  return text.includes('\uFFFD') ? undefined : text;
}

/** Writes the metrics of one invocation when its status is known; latencies are in microseconds, as in CloudWatch. */
function measure(
  metrics: MetricWriter,
  { dimensions, perTarget }: Omit<Target, 'fleet'>,
  startedMs: number,
): (status: number, modelLatencyMs: number | undefined) => void {
  return (status, modelLatencyMs) => {
    const overheadMs = performance.now() - startedMs - (modelLatencyMs ?? 0);
    metrics.put('AWS/SageMaker', dimensions, {
      Invocations: 1,
      ...perTarget,
      Invocation4XXErrors: status >= 400 && status < 500 ? 1 : 0,
      Invocation5XXErrors: status >= 500 ? 1 : 0,
      ...(modelLatencyMs === undefined
        ? {}
        : {
            ModelLatency: Math.round(modelLatencyMs * 1000),
            OverheadLatency: Math.round(overheadMs * 1000),
          }),
    });
  };
}
