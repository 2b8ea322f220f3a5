import type { ContainerClient, InvocationAnswer } from '../jobs/invoke-container.ts';
import type { HostedVariant } from './endpoint-record.ts';

/** One request as a container is sent it. */
export interface ContainerRequest {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** The containers of one production variant. */
export interface VariantFleet {
  readonly variant: HostedVariant;
  /** In bytes; what a request may bring. */
  readonly largestBody: number;
  /**
   * Resolves when the variant can take requests.
   *
   * @throws {EndpointFailure} if it never can
   */
  start(): Promise<void>;
  /**
   * Counts as under way from the call on.
   *
   * @throws {AwsError} `ThrottlingException`, `ModelNotReadyException`, `ServiceUnavailable`
   * @throws {NoAnswer} if the connection broke or the time was over
   */
  invoke(request: ContainerRequest): Promise<VariantAnswer>;
  /** Resolves when nothing is under way. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

/** A container's answer to InvokeEndpoint. */
export interface VariantAnswer extends InvocationAnswer {
  /** Time that the container itself took. */
  readonly modelLatencyMs: number;
}

/** SageMaker waits a minute for a container's answer. */
export const INVOCATION_TIMEOUT_MS = 60_000;

/** Sends a request to a container and measures how long its answer takes. */
export async function invokeContainer(
  client: ContainerClient,
  { body, headers }: ContainerRequest,
): Promise<VariantAnswer> {
  const started = performance.now();
  const answer = await client.invoke(body, headers, INVOCATION_TIMEOUT_MS);
  return { ...answer, modelLatencyMs: performance.now() - started };
}
